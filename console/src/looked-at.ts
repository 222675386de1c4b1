import { signal } from '@preact/signals'

/** Somebody who looks at another tab for a moment finds everything as it was. */
const GRACE_MS = 5_000

/** Whether the page is in front. One behind others plays and hears nothing: browsers open six connections to a server for all tabs. */
export const isLookedAt = signal(!document.hidden)

let timer = 0
document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  if (document.hidden) timer = window.setTimeout(() => (isLookedAt.value = false), GRACE_MS)
  else isLookedAt.value = true
})
