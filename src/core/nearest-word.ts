/** Longer words are nobody's misspelling. */
const MAX_LENGTH = 64
/** Of the letters of the longer word, so many may be wrong. */
const MAX_WRONG_SHARE = 0.4

/** The known word that was probably meant: the one with the fewest wrong letters, whatever its case and underscores. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const given = lettersOf(word)
  let nearest: string | undefined
  let fewest = Infinity
  for (const candidate of known) {
    const letters = lettersOf(candidate)
    const wrong = editDistance(given, letters)
    if (wrong >= fewest || wrong > Math.max(given.length, letters.length) * MAX_WRONG_SHARE) continue
    nearest = candidate
    fewest = wrong
  }
  return nearest
}

const lettersOf = (word: string) => word.toLowerCase().replaceAll('_', '').replaceAll('-', '')

/** Levenshtein's: letters that are put in, left out or replaced on the way from one word to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, replaced))
    }
  }
  return row.at(-1)!
}
