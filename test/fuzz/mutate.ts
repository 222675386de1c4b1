import { type Random } from './random.ts'

/** Values at which length checks go wrong. */
const EDGES = [0, 1, 2, 3, 0x7f, 0x80, 0xc0, 0xfe, 0xff]
const MAX_BYTES = 256 * 1024

/** A few random changes, of the kinds that broken or hostile senders make. */
export function mutate(input: Buffer, random: Random): Buffer {
  let data = input
  for (let left = random.below(8); left > 0; left--) data = change(data, random).subarray(0, MAX_BYTES)
  return data
}

function change(data: Buffer, random: Random): Buffer {
  const at = random.below(data.length)
  const length = 1 + random.below(random.pick([4, 64, 2000]))
  const before = data.subarray(0, at)
  const [taken, after] = [data.subarray(at, at + length), data.subarray(at + length)]
  switch (random.below(7)) {
    case 0:
      return Buffer.concat([before, Buffer.of((data[at] ?? 0) ^ (1 << random.below(8))), data.subarray(at + 1)])
    case 1:
      return Buffer.concat([before, Buffer.of(random.pick(EDGES)), data.subarray(at + 1)])
    case 2:
      return Buffer.concat([before, after])
    case 3:
      return Buffer.concat([before, random.bytes(Math.min(64, length)), data.subarray(at)])
    case 4:
      return Buffer.concat([before, taken, taken, after])
    case 5:
      return Buffer.concat([before, Buffer.alloc(Math.min(16, length), random.pick(EDGES)), after])
    default:
      return random.oneIn(4) ? before : Buffer.concat([after, taken])
  }
}

/** Cut into single bytes, more would take long and show nothing new. */
const MAX_BYTES_IN_SMALL_PIECES = 8 * 1024

/** The same bytes in pieces of random sizes. */
export function* pieces(data: Buffer, random: Random): Generator<Buffer> {
  const isSmall = data.length <= MAX_BYTES_IN_SMALL_PIECES
  const maxSize = random.pick(isSmall ? [1, 20, 1500, 65_536] : [1500, 65_536])
  for (let at = 0; at < data.length;) {
    const size = 1 + random.below(maxSize)
    yield data.subarray(at, at + size)
    at += size
  }
}
