/** What a column of JSON holds; null where it holds nothing. */
export function parseOrNull<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T)
}
