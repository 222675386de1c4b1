import { type ModelAnswer } from './text-model.ts'

/** A character that was read, with what else it could have been. */
export interface ReadCharacter {
  readonly character: string
  /** 0…1. */
  readonly confidence: number
  /** The probability of each character of a plate at the same place, the best first. */
  readonly alternatives: readonly Alternative[]
  /** Where on the line it stands, 0 (left end) … 1. */
  readonly position: number
}

export interface Alternative {
  readonly character: string
  readonly confidence: number
}

/** What the recogniser's classes mean to us: its blank, a character of a plate, something between characters, or a foreign one. */
export interface Alphabet {
  /** By class: 0 blank, 1…36 a character of a plate, 37 a separator, 38 foreign. */
  readonly meanings: Uint8Array
  readonly isLowerCase: Uint8Array
}

export interface ReadLine {
  readonly characters: readonly ReadCharacter[]
  /** As the model reads it, foreign characters as `□`: to distinguish a plate from other writing. */
  readonly text: string
}

const plateCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const [BLANK, SEPARATOR, FOREIGN] = [0, 37, 38]
/** A foreign character is taken for the best of ours when ours is at least so likely. */
const MIN_INSTEAD = 0.03
/** What is less likely than this is not reported as an alternative. */
const MIN_ALTERNATIVE = 0.01

/** Class 0 is the blank, then come the characters, and the last is the space. */
export function createAlphabet(characters: readonly string[]): Alphabet {
  const classes = ['', ...characters, ' ']
  const meanings = Uint8Array.from(classes, (character, index) => {
    if (index === 0) return BLANK
    const at = plateCharacters.indexOf(character.toUpperCase())
    if (at >= 0 && character.length === 1) return at + 1
    return /^[\s\-–—_.·・•:,;'’"|/\\]$/u.test(character) ? SEPARATOR : FOREIGN
  })
  return { meanings, isLowerCase: Uint8Array.from(classes, (character) => (/^[a-z]$/.test(character) ? 1 : 0)) }
}

/**
 * Reads the recogniser's answer: at each step the best class, runs of one class are one character, and blanks stand
 * between (Graves et al. 2006). Large and small letters are one, since plates have only large ones.
 */
export function decodeCtc(
  { values, shape }: ModelAnswer,
  { meanings, isLowerCase }: Alphabet,
  /** Which part of the model's width the line fills; the rest is padding. */
  filled = 1,
): ReadLine {
  const [steps, classes] = [shape.at(-2)!, shape.at(-1)!]
  const characters: ReadCharacter[] = []
  let text = ''
  let last = BLANK
  const sums = new Float64Array(FOREIGN + 1)
  for (let step = 0; step < steps; step++) {
    const row = values.subarray(step * classes, (step + 1) * classes)
    let best = 0
    sums.fill(0)
    for (let index = 0; index < classes; index++) {
      if (row[index]! > row[best]!) best = index
      sums[meanings[index]!]! += row[index]!
    }
    const meaning = meaningOf(meanings[best]!, sums)
    if (meaning > BLANK && meaning < SEPARATOR) {
      const read = toCharacter(meaning, sums, (step + 0.5) / steps / filled)
      if (meaning !== last) {
        characters.push(read)
        text += isLowerCase[best] ? read.character.toLowerCase() : read.character
      } else if (read.confidence > characters.at(-1)!.confidence) characters[characters.length - 1] = read
    } else if (meaning !== last && meaning !== BLANK) text += meaning === SEPARATOR ? ' ' : '□'
    last = meaning
  }
  return { characters, text: text.trim() }
}

function meaningOf(meaning: number, sums: Float64Array): number {
  if (meaning !== FOREIGN) return meaning
  let best = FOREIGN
  for (let index = 1; index < SEPARATOR; index++)
    if (sums[index]! >= MIN_INSTEAD && (best === FOREIGN || sums[index]! > sums[best]!)) best = index
  return best
}

function toCharacter(meaning: number, sums: Float64Array, position: number): ReadCharacter {
  const alternatives = [...plateCharacters]
    .map((character, index) => ({ character, confidence: Math.min(1, sums[index + 1]!) }))
    .filter(({ confidence }) => confidence >= MIN_ALTERNATIVE)
    .sort((a, b) => b.confidence - a.confidence)
  return { character: plateCharacters[meaning - 1]!, confidence: Math.min(1, sums[meaning]!), alternatives, position }
}
