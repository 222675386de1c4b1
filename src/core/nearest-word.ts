/** Longer words are nobody's misspelling. */
const MAX_LENGTH = 64
/** Of the letters of the longer word, so many may be wrong. */
const MAX_WRONG_SHARE = 0.4

/** The known word that was probably meant: the one with the fewest wrong letters, whatever its case and underscores. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined
  let minWrong = Infinity
  for (const candidate of known) {
    const wrong = wrongLetters(word, candidate) ?? Infinity
    if (wrong >= minWrong) continue
    nearest = candidate
    minWrong = wrong
  }
  return nearest
}

/** How many letters are wrong if this word was meant; undefined when it was not. */
export function wrongLetters(word: string, meant: string): number | undefined {
  if (word.length > MAX_LENGTH) return undefined
  const [given, letters] = [lettersOf(word), lettersOf(meant)]
  const maxWrong = Math.max(given.length, letters.length) * MAX_WRONG_SHARE
  if (Math.abs(given.length - letters.length) > maxWrong) return undefined
  const wrong = editDistance(given, letters)
  return wrong > maxWrong ? undefined : wrong
}

const lettersOf = (word: string) => word.toLowerCase().replaceAll('_', '').replaceAll('-', '')

/** Letters that are put in, left out, replaced or swapped with the next on the way from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? beforeLast[j - 2]! + 1 : Infinity
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last.at(-1)!
}
