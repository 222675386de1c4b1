/** A text of an address without its percent codes; as it stands when it has others, since a lone `%` in a password is meant as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
