/** What comes of a run of fragments: each `moof` as a whole, and its media as they come. */
export type FragmentPart =
  | { readonly type: 'moof'; readonly box: Buffer }
  /** Bytes of its `mdat`, the header included; `at` is counted from the beginning of the `moof`. */
  | { readonly type: 'media'; readonly bytes: Buffer; readonly at: number }

/** These bytes are no fragments of a file of ours. */
export class FragmentFault extends Error {}

/** Finds the boxes in bytes that come in chunks of any size. */
export interface FragmentSplitter {
  /** Throws a `FragmentFault`. */
  push(chunk: Buffer): FragmentPart[]
}

/** Of half a second: one of ours has a few kilobytes. */
export const MAX_MOOF_BYTES = 2 ** 20
/** A file that can't be cut comes as a whole. */
const SKIPPED = new Set(['ftyp', 'styp', 'moov', 'free', 'skip', 'sidx', 'mfra', 'emsg', 'prft', 'uuid'])
const EMPTY = Buffer.alloc(0)

export function createFragmentSplitter(): FragmentSplitter {
  /** The beginning of a box that is not decided yet. */
  let held: Buffer = EMPTY
  /** What is left of the box that bytes belong to. */
  let left = 0
  let isMedia = false
  /** Bytes since the last `moof` began; undefined before the first. */
  let position: number | undefined

  function* partsOf(bytes: Buffer): Generator<FragmentPart> {
    let at = 0
    while (at < bytes.length) {
      if (left > 0) {
        const taken = bytes.subarray(at, at + left)
        if (isMedia) {
          yield { type: 'media', bytes: taken, at: position! }
          position! += taken.length
        }
        left -= taken.length
        at += taken.length
        continue
      }
      const header = readHeader(bytes, at)
      if (!header || (header.type === 'moof' && bytes.length - at < header.size)) {
        held = bytes.subarray(at)
        return
      }
      at += begin(header)
      if (header.type === 'moof') yield { type: 'moof', box: bytes.subarray(at - header.size, at) }
    }
  }

  /** Answers how many bytes are done with. */
  function begin({ type, size }: BoxHeader): number {
    if (type === 'moof') {
      position = size
      return size
    }
    isMedia = type === 'mdat'
    if (isMedia && position === undefined) throw new FragmentFault('media without a fragment')
    left = size
    return 0
  }

  return {
    push(chunk) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      held = EMPTY
      return [...partsOf(bytes)]
    },
  }
}

interface BoxHeader {
  readonly type: string
  readonly size: number
}

/** Undefined where more bytes are needed. */
function readHeader(bytes: Buffer, at: number): BoxHeader | undefined {
  if (bytes.length - at < 8) return undefined
  const type = bytes.toString('latin1', at + 4, at + 8)
  if (type !== 'moof' && type !== 'mdat' && !SKIPPED.has(type)) throw new FragmentFault('no box')
  const small = bytes.readUInt32BE(at)
  if (small === 1 && bytes.length - at < 16) return undefined
  const size = small === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : small
  if (size < (small === 1 ? 16 : 8)) throw new FragmentFault('a box without a size')
  if (type === 'moof' && size > MAX_MOOF_BYTES) throw new FragmentFault('a fragment with too long a header')
  return { type, size }
}
