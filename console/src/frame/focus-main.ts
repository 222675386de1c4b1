/** Puts the keyboard's place at the beginning of the page. */
export const focusMain = (options?: FocusOptions) => document.getElementById('main')?.focus(options)
