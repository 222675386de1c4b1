import { type Random } from './random.ts'

const POWERS = [7, 8, 12, 14, 15, 16, 24, 28, 31, 32]

/** A number at which lengths, counts and offsets of so many bits go wrong. */
export function edgeNumber(random: Random, bits: number): number {
  const limit = 2 ** bits
  const power = 2 ** random.pick(POWERS)
  const number = random.pick([0, 1, 2, 3, random.below(64), power - 1, power, power + 1, limit - 1, limit / 2])
  return number % limit
}

/** Writes such a number at a place; where there is none, the bytes stay as they are. */
export function writeEdgeNumber(bytes: Buffer, at: number, width: 1 | 2 | 3 | 4, random: Random): void {
  if (at >= 0 && at + width <= bytes.length) bytes.writeUIntBE(edgeNumber(random, 8 * width), at, width)
}
