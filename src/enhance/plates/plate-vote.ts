import { type ReadCharacter } from './ctc.ts'
import { settleLookalikes } from './plate-formats.ts'

/** One look at a plate. */
export interface PlateReading {
  readonly characters: readonly ReadCharacter[]
  /** How much it counts, above 0. */
  readonly weight: number
}

export interface PlateText {
  readonly text: string
  /** 0…1: how far the readings agree, and how sure they are. */
  readonly confidence: number
}

/** A reading that lacks a character speaks less against it than one that has it speaks for it: most often an end was cut off. */
const OMISSION = 0.6

/** A place in the number: how much speaks for each character, and for there being none. */
interface Place {
  readonly votes: Map<string, number>
  nothing: number
}

/**
 * One number from several readings of it, character by character. The heaviest reading comes first; each of the others is laid
 * beside what there is with the fewest changes, so that a missed or an extra character shifts nothing.
 */
export function votePlate(readings: readonly PlateReading[]): PlateText | undefined {
  const ordered = [...readings].sort((a, b) => strength(b) - strength(a))
  const [first, ...others] = ordered
  if (!first) return undefined
  let places = first.characters.map((read) => placeOf(read, first.weight, 0))
  let total = first.weight
  for (const reading of others) {
    places = merge(places, reading, total)
    total += reading.weight
  }
  const kept = places.filter(({ votes, nothing }) => sum(votes) > nothing)
  if (kept.length === 0) return undefined
  const characters = settleLookalikes(kept.map((place) => elect(place, total)))
  const product = characters.reduce((share, { confidence }) => share * confidence, 1)
  return {
    text: characters.map(({ character }) => character).join(''),
    confidence: product ** (1 / characters.length),
  }
}

function strength({ characters, weight }: PlateReading): number {
  return (weight * characters.reduce((total, { confidence }) => total + confidence, 0)) / Math.max(1, characters.length)
}

function placeOf(read: ReadCharacter, weight: number, nothing: number): Place {
  const place: Place = { votes: new Map(), nothing }
  addVotes(place, read, weight)
  return place
}

function addVotes({ votes }: Place, { character, confidence, alternatives }: ReadCharacter, weight: number): void {
  const add = (name: string, share: number) => votes.set(name, (votes.get(name) ?? 0) + share * weight)
  add(character, confidence)
  for (const other of alternatives) if (other.character !== character) add(other.character, other.confidence)
}

function elect({ votes }: Place, total: number): ReadCharacter {
  const alternatives = [...votes]
    .map(([character, share]) => ({ character, confidence: Math.min(1, share / total) }))
    .sort((a, b) => b.confidence - a.confidence)
  return { ...alternatives[0]!, alternatives, position: 0 }
}

/** Needleman and Wunsch 1970: what two sequences share, with the fewest gaps and changes. */
function merge(places: readonly Place[], { characters, weight }: PlateReading, total: number): Place[] {
  const [rows, columns] = [places.length + 1, characters.length + 1]
  const cost = new Float64Array(rows * columns)
  const change = (row: number, column: number) => 1 - support(places[row - 1]!, characters[column - 1]!.character)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      if (row === 0 || column === 0) cost[at] = row + column
      else
        cost[at] = Math.min(cost[at - columns - 1]! + change(row, column), cost[at - columns]! + 1, cost[at - 1]! + 1)
    }
  }
  const merged: Place[] = []
  for (let row = rows - 1, column = columns - 1; row > 0 || column > 0;) {
    const at = row * columns + column
    if (row > 0 && column > 0 && cost[at] === cost[at - columns - 1]! + change(row, column)) {
      const place = places[--row]!
      addVotes(place, characters[--column]!, weight)
      merged.push(place)
    } else if (row > 0 && cost[at] === cost[at - columns]! + 1) {
      const place = places[--row]!
      place.nothing += OMISSION * weight
      merged.push(place)
    } else merged.push(placeOf(characters[--column]!, weight, OMISSION * total))
  }
  return merged.reverse()
}

/** How much of the votes so far agree with a character, 0…1. */
function support({ votes }: Place, character: string): number {
  return (votes.get(character) ?? 0) / Math.max(1e-9, sum(votes))
}

function sum(votes: ReadonlyMap<string, number>): number {
  let total = 0
  for (const vote of votes.values()) total += vote
  return total
}
