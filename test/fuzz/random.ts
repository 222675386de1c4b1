/** Random numbers that a seed can bring back (mulberry32). */
export interface Random {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  bytes(length: number): Buffer
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const random: Random = {
    below: (limit) => next() % Math.max(1, limit),
    pick: (items) => items[random.below(items.length)]!,
    bytes: (length) => Buffer.from(Array.from({ length }, () => next() & 0xff)),
  }
  return random
}
