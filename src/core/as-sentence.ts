/** With a full stop at its end, unless it ends in a mark already: for words of others among ours. */
export function asSentence(text: string): string {
  return text.replace(/[^.?!]$/, '$&.')
}
