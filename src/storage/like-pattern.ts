/** A text as part of a pattern of `like … escape '\'`, in which nothing of it stands for anything else. */
export function inPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
