const CR = 0x0d
const LF = 0x0a
const EMPTY = Buffer.alloc(0)

/** How many times its own bytes a block may keep in memory. */
const MAX_KEPT_FOR_ONE = 4

/** Received bytes that are not parsed yet, read as lines and as blocks of a known length. */
export interface InputBuffer {
  push(chunk: Buffer): void
  /** The next byte that ends no line, which stays unread; undefined when it has not arrived. */
  peekPastLineEnds(): number | undefined
  /**
   * The next line without its LF; undefined until that has arrived. `checkLength` gets the length so far before anything is
   * kept, and throws where that is too long.
   */
  readLine(checkLength: (bytes: number) => void): string | undefined
  /**
   * The next `length` bytes; undefined until all have arrived, and then to be called with the same length again. They are a view of the
   * chunk when they are much of it; a small view would keep all of it in memory.
   */
  readBlock(length: number): Buffer | undefined
  /** The next four bytes as a number; otherwise as `readBlock`. Nothing is made for them where they have arrived together. */
  readUInt32(): number | undefined
  /** Bytes held for a line or block that is incomplete. */
  readonly heldBytes: number
}

export function createInputBuffer(): InputBuffer {
  let chunk: Buffer = EMPTY
  let at = 0
  /** The beginning of a line whose end has not arrived. */
  let line = ''
  /** A block that arrived in part; allocated at its full size. */
  let block: Buffer | undefined
  let blockFilled = 0

  /** A chunk that was read to its end is released. */
  function advance(count: number): void {
    at += count
    if (at < chunk.length) return
    chunk = EMPTY
    at = 0
  }

  function readBlock(length: number): Buffer | undefined {
    const available = chunk.length - at
    if (!block && available >= length && length * MAX_KEPT_FOR_ONE >= chunk.length) {
      const view = chunk.subarray(at, at + length)
      advance(length)
      return view
    }
    if (!block) {
      block = Buffer.allocUnsafeSlow(length)
      blockFilled = 0
    }
    const count = Math.min(available, length - blockFilled)
    chunk.copy(block, blockFilled, at, at + count)
    advance(count)
    blockFilled += count
    if (blockFilled < length) return undefined
    const whole = block
    block = undefined
    return whole
  }

  return {
    push(next) {
      chunk = at < chunk.length ? Buffer.concat([chunk.subarray(at), next]) : next
      at = 0
    },
    peekPastLineEnds() {
      let ends = 0
      while (chunk[at + ends] === CR || chunk[at + ends] === LF) ends++
      advance(ends)
      return chunk[at]
    },
    readLine(checkLength) {
      const end = chunk.indexOf(LF, at)
      const stop = end < 0 ? chunk.length : end
      checkLength(line.length + stop - at)
      line += chunk.toString('latin1', at, stop)
      advance(stop - at + (end < 0 ? 0 : 1))
      if (end < 0) return undefined
      const whole = line
      line = ''
      return whole
    },
    readBlock,
    readUInt32() {
      if (block || chunk.length - at < 4) return readBlock(4)?.readUInt32BE()
      const value = chunk.readUInt32BE(at)
      advance(4)
      return value
    },
    get heldBytes() {
      return line.length + (block?.length ?? 0)
    },
  }
}
