/** The beginning of a text that somebody else wrote, as long as anybody needs to recognise it. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}
