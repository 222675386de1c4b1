/**
 * Whole numbers as LEB128: seven bits a byte, the lowest first. Signed ones are folded (0, −1, 1, −2, …), so that small ones are short
 * on both sides of zero.
 */
export interface VarintWriter {
  unsigned(value: number): void
  signed(value: number): void
  /** UTF-8, its length before it. */
  text(value: string): void
  toBuffer(): Buffer
}

/** Throws a `RangeError` on what no writer writes; it never reads beyond its bytes. */
export interface VarintReader {
  readonly isAtEnd: boolean
  unsigned(): number
  signed(): number
  text(): string
}

const FIRST_BYTES = 4_096
/** Of the largest number that is exact. */
const MAX_VARINT_BYTES = 8

export function createVarintWriter(): VarintWriter {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0

  function makeRoom(more: number): void {
    if (length + more <= bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(bytes.length * 2, length + more))
    bytes.copy(grown, 0, 0, length)
    bytes = grown
  }

  function unsigned(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no number that can be written`)
    makeRoom(MAX_VARINT_BYTES)
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[length++] = (rest % 0x80) + 0x80
    bytes[length++] = rest
  }

  return {
    unsigned,
    signed: (value) => unsigned(value < 0 ? -2 * value - 1 : 2 * value),
    text(value) {
      const text = Buffer.from(value)
      unsigned(text.length)
      makeRoom(text.length)
      length += text.copy(bytes, length)
    },
    toBuffer: () => bytes.subarray(0, length),
  }
}

export function createVarintReader(bytes: Buffer): VarintReader {
  let at = 0

  function unsigned(): number {
    let value = 0
    let weight = 1
    for (let length = 1; length <= MAX_VARINT_BYTES; length++) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('a number is cut off')
      value += (byte % 0x80) * weight
      if (byte >= 0x80) {
        weight *= 0x80
        continue
      }
      if (value > Number.MAX_SAFE_INTEGER) break
      return value
    }
    throw new RangeError('a number is too large')
  }

  return {
    get isAtEnd() {
      return at >= bytes.length
    },
    unsigned,
    signed() {
      const folded = unsigned()
      return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2
    },
    text() {
      const length = unsigned()
      if (length > bytes.length - at) throw new RangeError('a text is cut off')
      at += length
      return bytes.toString('utf8', at - length, at)
    },
  }
}
