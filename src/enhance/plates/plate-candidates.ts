import { type Size } from '../../core/detection.ts'
import { centreOf, heightOf, type Quad, widthOf } from '../picture/quad.ts'
import { type ReadCharacter, type ReadLine } from './ctc.ts'
import { formatOf, settleLookalikes } from './plate-formats.ts'
import { plateLikeness } from './plate-likeness.ts'

/** A line of text in a picture, read. */
export interface TextLine {
  readonly quad: Quad
  readonly read: ReadLine
}

/** What could be the plate. */
export interface PlateCandidate {
  readonly characters: readonly ReadCharacter[]
  readonly text: string
  /** The lines that it is made of, in reading order. */
  readonly lines: readonly TextLine[]
  /** 0…1: how much it looks like a plate, and how sure its characters are. */
  readonly score: number
}

/** All that could be the plate, the best first: single lines, neighbours in a row, and two lines one above the other. */
export function plateCandidates(lines: readonly TextLine[], picture: Size): PlateCandidate[] {
  const used = lines.filter(({ read }) => read.characters.length > 0)
  const pairs = used.flatMap((first) =>
    used
      .filter((second) => second !== first && (isBeside(first, second) || isBelow(first, second)))
      .map((second) => [first, second]),
  )
  return [...used.map((line) => [line]), ...pairs]
    .map((parts) => toCandidate(parts, picture))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

function toCandidate(lines: readonly TextLine[], picture: Size): PlateCandidate {
  const characters = settleLookalikes(withoutSeal(lines.flatMap(({ read }) => read.characters)))
  const text = characters.map(({ character }) => character).join('')
  const raw = lines.map(({ read }) => read.text).join('')
  const sureness = characters.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, characters.length)
  // Joining is the less likely explanation where a single line would do.
  const joined = lines.length > 1 ? 0.85 : 1
  const places = lines.map((line) => placeFactor(line, lines.length, picture))
  const score = plateLikeness(text, raw) * sureness ** 2 * Math.min(...places) * joined
  return { characters, text, lines, score }
}

/** Plates are wider than high, not tiny, and rather in the lower part of a vehicle. */
function placeFactor({ quad }: TextLine, parts: number, picture: Size): number {
  const [width, height] = [widthOf(quad), heightOf(quad)]
  const ratio = width / height
  const [narrowest, widest] = parts > 1 ? [0.8, 5] : [1.5, 8]
  const shape = ratio < narrowest ? ratio / narrowest : ratio > widest ? widest / ratio : 1
  const size = Math.min(1, 0.5 + height / 24)
  const isHigh = centreOf(quad).y < 0.3 * picture.height && height < 0.15 * picture.height
  // Captions and dates are burnt in along the edges.
  const edge = Math.min(centreOf(quad).y, picture.height - centreOf(quad).y) < 0.06 * picture.height ? 0.6 : 1
  return shape * size * (isHigh ? 0.75 : 1) * (height < 0.15 * picture.height ? edge : 1)
}

/** Much the same height and on one row, with a gap no wider than a seal or an emblem. */
function isBeside(left: TextLine, right: TextLine): boolean {
  const [a, b] = [left.quad, right.quad]
  const [height, otherHeight] = [heightOf(a), heightOf(b)]
  if (Math.max(height, otherHeight) > 1.6 * Math.min(height, otherHeight)) return false
  const gap = b[0].x - a[1].x
  const drop = Math.abs((b[0].y + b[3].y - a[1].y - a[2].y) / 2)
  const mean = (height + otherHeight) / 2
  return gap > -0.5 * mean && gap < 1.6 * mean && drop < 0.5 * mean
}

/** Two short lines of much the same size, one above the other. */
function isBelow(upper: TextLine, lower: TextLine): boolean {
  const [a, b] = [upper.quad, lower.quad]
  const [height, otherHeight] = [heightOf(a), heightOf(b)]
  if (Math.max(height, otherHeight) > 1.7 * Math.min(height, otherHeight)) return false
  if (Math.max(upper.read.characters.length, lower.read.characters.length) > 5) return false
  const mean = (height + otherHeight) / 2
  const [from, to] = [centreOf(a), centreOf(b)]
  const distance = to.y - from.y
  const widest = Math.max(widthOf(a), widthOf(b))
  return distance > 0.5 * mean && distance < 1.7 * mean && Math.abs(to.x - from.x) < 0.35 * widest
}

/** As what the round seals are read that stand after the district on the plates of Germany and its neighbours. */
const roundOnes = 'O0Q8B69SGD'
/** A seal is hardly ever read surely, and characters on a plate where one was read at all are. */
const [MAX_SEAL_CONFIDENCE, MIN_SURE_CONFIDENCE] = [0.65, 0.85]
const withSeal = /^L{2,5}D{1,4}$/

/** Leaves a seal out: one unsure round character after a letter, in what is otherwise a sure number of such a country. */
export function withoutSeal(characters: readonly ReadCharacter[]): readonly ReadCharacter[] {
  const unsure = characters.filter(({ confidence }) => confidence < MIN_SURE_CONFIDENCE)
  const [seal] = unsure
  if (unsure.length !== 1 || seal!.confidence > MAX_SEAL_CONFIDENCE || !roundOnes.includes(seal!.character))
    return characters
  const at = characters.indexOf(seal!)
  if (at === 0 || !/[A-Z]/.test(characters[at - 1]!.character)) return characters
  const others = characters.filter((read) => read !== seal)
  return withSeal.test(formatOf(others.map(({ character }) => character).join(''))) ? others : characters
}
