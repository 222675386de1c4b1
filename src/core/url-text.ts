/** A text of an address without its percent codes; as it stands when it has others, since a lone `%` in a password is meant as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const SLASH = '/'

/** By a loop, because `/\/+$/` looks at every row of slashes in the text again and again: 120,000 of them took 14 seconds. */
export function trimEndSlashes(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === SLASH) end--
  return text.slice(0, end)
}

/** Without those at either end. */
export function trimSlashes(text: string): string {
  let start = 0
  while (text[start] === SLASH) start++
  return trimEndSlashes(text.slice(start))
}
