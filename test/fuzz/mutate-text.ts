import { type Random } from './random.ts'

/** What parsers of lines, lists and numbers stumble over. */
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    ',',
    ';',
    ':',
    '=',
    '"',
    "'",
    '/',
    '?',
    '#',
    '%',
    '%00',
    '%',
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
  ],
  ...['é', '\u2028', '\ud800', '\u202e', '../', '..%2f', '[::1]', '*', '$', '\\', '{}', '[]', 'null', '__proto__'],
  ...['0', '-0', '-1', '1e9', '00', '0x10', '1.5', '255', '256', '65535', '65536', '4294967296', '9'.repeat(40), 'NaN'],
]
const MAX_LENGTH = 128 * 1024

/** Changes of lines, words and numbers, as a text of any protocol has them; often only a few, so that others still get far. */
export function mutateText(text: string, random: Random): string {
  let result = text
  for (let left = random.pick([0, 1, 1, 2, 3, 8]); left > 0; left--)
    result = change(result, random).slice(0, MAX_LENGTH)
  return result
}

function change(text: string, random: Random): string {
  return random.oneIn(2) ? changeLine(text, random) : changeWord(text, random)
}

function changeLine(text: string, random: Random): string {
  const lines = text.split(/(?<=\n)/)
  const at = random.below(lines.length)
  const line = lines[at]!
  switch (random.below(6)) {
    case 0:
      return lines.toSpliced(at, 1).join('')
    case 1:
      return lines.toSpliced(at, 0, ...Array.from({ length: random.pick([1, 3, 30, 300]) }, () => line)).join('')
    case 2:
      return lines.toSpliced(at, 1, line.trimEnd()).join('')
    case 3:
      return lines.toSpliced(at, 1, line.replace('\r\n', random.pick(['\n', '\r', '\r\r\n', '\n\r\n']))).join('')
    case 4:
      return lines.toSpliced(at, 1, random.oneIn(2) ? line.toUpperCase() : line.toLowerCase()).join('')
    default:
      return lines.toSpliced(random.below(lines.length), 0, ...lines.splice(at, 1)).join('')
  }
}

/** Words and numbers are what stands between the signs that separate them. */
function changeWord(text: string, random: Random): string {
  const around = random.below(text.length)
  const separators = /[\s,;:=/"?&.-]/
  let [start, end] = [around, around]
  while (start > 0 && !separators.test(text[start - 1]!)) start--
  while (end < text.length && !separators.test(text[end]!)) end++
  const [before, word, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)]
  switch (random.below(6)) {
    case 0:
      return before + random.pick(ODD_TEXTS) + after
    case 1:
      return before + word + random.pick(ODD_TEXTS) + after
    case 2:
      return before + word.repeat(random.pick([2, 20, 2000])) + after
    case 3:
      return before + after
    case 4:
      return before + word.slice(0, random.below(word.length)) + after
    default:
      return random.oneIn(4) ? before + word : before + random.pick(ODD_TEXTS) + word + after
  }
}
