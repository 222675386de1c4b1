import { hasKnownFormat } from './plate-formats.ts'

const MIN_LENGTH = 4
const MAX_LENGTH = 9

/** Letters that are not simply larger when they are large: writing that has them small is no plate. */
const trulySmall = /[abdefghijklmnqrty]/g

/** What stands on the backs of cars beside the plate, and looks like one: engines and models. */
const emblems = [
  /^\d{1,3}(TDI|TSI|TFSI|FSI|SDI|CDI|HDI|DCI|TDCI|CRDI|CDTI|JTD|GDI|MPI|TCE|GTI|GTD|VTEC|VVTI|D4D|DID|HYBRID)$/,
  /^[1-8]\d\d[DEI]$/,
  /^(XC|CX)\d\d$/,
  /^(RAV4|4X4\w*|4MOTION|\w*QUATTRO|\w*HYBRID|TURBO\w?)$/,
]

/** How much a text reads like a registration number, 0…1; `raw` is the line as the recogniser wrote it. */
export function plateLikeness(text: string, raw: string): number {
  const length = text.length
  if (length < MIN_LENGTH || (length > MAX_LENGTH && !hasKnownFormat(text))) return 0
  const lengths: Readonly<Record<number, number>> = { 4: 0.55, 5: 0.85, 8: 0.95, 9: 0.7 }
  const emblem = emblems.some((pattern) => pattern.test(text)) ? 0.3 : 1
  return (lengths[length] ?? 1) * emblem * mixture(text) * smallLetters(raw) * foreignCharacters(raw) * punctuation(raw)
}

function mixture(text: string): number {
  const digits = text.replace(/[^0-9]/g, '').length
  if (digits === 0) return 0.08
  // A year, as in stickers and dates.
  if (/^(19|20)\d\d$/.test(text)) return 0.1
  if (digits === text.length) return text.length === 4 ? 0.25 : 0.6
  if (hasKnownFormat(text)) return 1
  // Letters and digits come in few runs; a word with one digit in it is a misread word.
  const runs = text.match(/[A-Z]+|[0-9]+/g)!
  const maxWordLength = Math.max(0, ...runs.filter((run) => /[A-Z]/.test(run)).map((run) => run.length))
  return 0.8 * (runs.length > 4 ? 0.6 : 1) * (maxWordLength > 4 ? 0.4 : 1)
}

function smallLetters(raw: string): number {
  return 0.5 ** Math.min(3, raw.match(trulySmall)?.length ?? 0)
}

/** One is the province of a Chinese plate, a seal or a picture; a line full of them is writing. */
function foreignCharacters(raw: string): number {
  const count = raw.split('□').length - 1
  return count <= 1 ? 1 : 0.75 ** (count - 1)
}

/** Dates, times and addresses have more gaps than a number. */
function punctuation(raw: string): number {
  const gaps = raw.split(' ').length - 1
  return gaps <= 2 ? 1 : 0.6 ** (gaps - 2)
}
