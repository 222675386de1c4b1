/**
 * Reads bits, most significant first. Past the end it reads zeros and sets a flag, so that a parser of something
 * cut short comes to its end by itself and asks once, at the end, whether what it read was there.
 */
export interface BitReader {
  /** Up to 32 bits. */
  bits(count: number): number
  flag(): boolean
  /** Unsigned Exp-Golomb code, ue(v) of H.264 §9.1. */
  ue(): number
  /** Signed Exp-Golomb code, se(v). */
  se(): number
  skip(count: number): void
  readonly isPastEnd: boolean
}

export function createBitReader(data: Uint8Array): BitReader {
  const length = data.length * 8
  let at = 0

  const reader: BitReader = {
    bits(count) {
      let value = 0
      for (let i = 0; i < count; i++, at++) {
        const bit = at < length ? (data[at >> 3]! >> (7 - (at & 7))) & 1 : 0
        value = value * 2 + bit
      }
      return value
    },
    flag: () => reader.bits(1) === 1,
    ue() {
      let zeros = 0
      while (zeros < 32 && at < length && !reader.flag()) zeros++
      return 2 ** zeros - 1 + reader.bits(zeros)
    },
    se() {
      const code = reader.ue()
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2
    },
    skip: (count) => void (at += count),
    get isPastEnd() {
      return at > length
    },
  }
  return reader
}

/** Takes the emulation prevention bytes out of a NAL unit: 00 00 03 stands for 00 00 (H.264 §7.4.1). */
export function unescapeNalUnit(nalUnit: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(nalUnit.length)
  let length = 0
  let zeros = 0
  for (const byte of nalUnit) {
    const isEscape = zeros >= 2 && byte === 3
    zeros = byte === 0 ? zeros + 1 : 0
    if (!isEscape) plain[length++] = byte
  }
  return plain.subarray(0, length)
}
