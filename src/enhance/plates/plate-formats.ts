import { type ReadCharacter } from './ctc.ts'

/** Formats of registration numbers that many vehicles have: L is a letter, D a digit. */
const formats: ReadonlySet<string> = new Set([
  // United Kingdom; France, Italy, Slovakia, Serbia; Spain; Brazil old and new; Argentina
  ...['LLDDLLL', 'LDDDLLL', 'LLDDDLL', 'LLLDDLL', 'DDDDLLL', 'LLLDDDD', 'LLLDLDD', 'LLDDDLL'],
  // Germany, Austria, Switzerland, Poland, Romania, Denmark, Norway, Hungary, Sweden, Finland
  ...['LLDDD', 'LLDDDD', 'LLLDDD', 'LLLDD', 'LLLLDDD', 'LLLLDDDD', 'LLLLDD', 'LLDD', 'LLDDDDD', 'LLDDDDDD', 'LLLDDDDD'],
  ...['LLLLLDD', 'LLLLLDDD'],
  ...['LDDLLL', 'LDDDLLL', 'LLLDDL', 'LLLDLL', 'LDDDLL', 'LDDDDL', 'LDDDDLL'],
  // Czechia, the Netherlands, Belgium, Portugal, Bulgaria, Ukraine, Russia
  ...['DLDDDDD', 'DLLDDDD', 'LLDDLL', 'DDLLLD', 'LDDDLL', 'DLLLDD', 'DDDLLD', 'LDDLLL', 'DLLLDDD', 'DDLLDD', 'DDDDLL'],
  ...['LDDDDLL', 'LLDDDDLL', 'LDDDLLDD', 'LDDDLLDDD', 'LLLDDDL'],
  // North America, Australia, Israel, China
  ...[
    'LLLDDDD',
    'DLLLDDD',
    'LLLDDD',
    'DDDLLL',
    'DLLDDD',
    'DDDLLD',
    'DDLLDDD',
    'LDDLLD',
    'LDDDDDD',
    'LLDDDDL',
    'LLLDDDL',
  ],
  ...['DDDDDD', 'DDDDDDD', 'DDDDDDDD', 'LDDDDD', 'LDDDD', 'LLDDDLLL', 'DLLDLL', 'DDDLLLD', 'LLDDLD'],
  // India
  ...['LLDDLLDDDD', 'LLDDLDDDD'],
])

/** Which letter and which digit are taken for each other. The first two pairs look the same on many plates. */
const alike: Readonly<Record<string, string>> = {
  ...{ O: '0', '0': 'OQD', I: '1', '1': 'IL' },
  ...{ Q: '0', D: '0', L: '1', S: '5', '5': 'S', B: '8', '8': 'B', Z: '2', '2': 'Z', G: '6', '6': 'G' },
  ...{ A: '4', '4': 'A', T: '7', '7': 'T' },
}
const twins = new Set(['O0', '0O', 'I1', '1I'])
/** How likely a twin is at least, whatever the recogniser thinks; and how likely any other must be to be thought of. */
const TWIN_CHANCE = 0.03
const MIN_CHANCE = 0.04
/** In what reads as a word, even a twin must have been seen so far. */
const MIN_CHANCE_IN_WORD = 0.05

export function formatOf(text: string): string {
  return text.replace(/[A-Z]/g, 'L').replace(/[0-9]/g, 'D')
}

export function hasKnownFormat(text: string): boolean {
  return formats.has(formatOf(text))
}

/**
 * A number in no known format becomes the likeliest one that has it, if letters and digits that look alike are all that
 * must change. What has a known format already stays as it was read; and so do words, or TOYOTA would become a plate.
 */
export function settleLookalikes(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const text = characters.map(({ character }) => character).join('')
  if (hasKnownFormat(text)) return characters
  const isWord = !/[0-9]/.test(text)
  let best: { chance: number; characters: readonly ReadCharacter[] } = { chance: 0, characters }
  for (const format of formats) {
    if (format.length !== characters.length) continue
    const fitted = characters.map((read, index) => fit(read, format[index] as 'L' | 'D', isWord))
    const chance = fitted.reduce((product, { chance }) => product * chance, 1)
    if (chance > best.chance) best = { chance, characters: fitted.map(({ read }) => read) }
  }
  return best.characters
}

/** The character as one of this kind, and how likely that is. */
function fit(read: ReadCharacter, kind: 'L' | 'D', isWord: boolean): { read: ReadCharacter; chance: number } {
  if (formatOf(read.character) === kind) return { read, chance: read.confidence }
  const options = [...(alike[read.character] ?? '')].filter((character) => formatOf(character) === kind)
  const best = options.map((character) => toOption(read, character, isWord)).sort((a, b) => b.chance - a.chance)[0]
  return best ?? { read, chance: 0 }
}

function toOption(read: ReadCharacter, character: string, isWord: boolean): { read: ReadCharacter; chance: number } {
  const isTwin = twins.has(read.character + character)
  const seen = read.alternatives.find((other) => other.character === character)?.confidence ?? 0
  const minChance = isWord ? MIN_CHANCE_IN_WORD : isTwin ? 0 : MIN_CHANCE
  const chance = seen < minChance ? 0 : Math.max(seen, isTwin ? TWIN_CHANCE : 0)
  // The format speaks for a twin as loud as the look does.
  const confidence = isTwin ? Math.max(seen, read.confidence / 2) : seen
  return { read: { ...read, character, confidence }, chance }
}
