/** Random numbers that a seed can bring back (mulberry32). */
export interface Random {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number
  /** True once in so many times. */
  oneIn(times: number): boolean
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
  const below = (limit: number) => next() % Math.max(1, limit)
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)]!,
    bytes(length) {
      const bytes = Buffer.allocUnsafe(length)
      for (let at = 0; at < length; at++) bytes[at] = next()
      return bytes
    },
  }
}

/** Choices that belong to an input, such as where it is cut: the same whenever it is fed. */
export function randomOf(input: Buffer): Random {
  // FNV-1a over some of the bytes: it need not be good, only the same.
  let hash = 0x811c9dc5 ^ input.length
  const step = Math.max(1, input.length >> 8)
  for (let at = 0; at < input.length; at += step) hash = Math.imul(hash ^ input[at]!, 0x01000193)
  return createRandom(hash)
}
