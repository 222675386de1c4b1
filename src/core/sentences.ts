/** With a full stop at its end, unless it ends in a mark already: for words of others among ours. */
export function asSentence(text: string): string {
  return text.replace(/[^.?!]$/, '$&.')
}

const MAX_SENTENCE_LENGTH = 500

/** Cuts a sentence that may quote others (a camera, a server) before it is kept or shown. Our own are shorter. */
export const shortSentence = (sentence: string): string => shortened(sentence, MAX_SENTENCE_LENGTH)

/** The beginning of a text that somebody else wrote, as long as anybody needs to recognise it. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

/** `33 s`, `5 min`, `3 h`, `2 days`: as exact as a reader needs it. */
export function ageInWords(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} days`
}
