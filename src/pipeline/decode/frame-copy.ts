import { type AVPixelFormat, type Frame } from 'node-av'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { check } from '../../av/faults.ts'

/**
 * A decoded frame's pixels for JavaScript. A frame that is asked for its `data` makes buffers each time, and the garbage collector takes their
 * size for memory to be won back: thirty frames, and it runs. Copied to memory whose buffers are made once, they cost a tenth.
 */
export interface FrameCopy {
  /** The frame with its colour tags, and its planes; valid until the next. */
  take(frame: Frame): ReadableFrame
  close(): void
}

export interface ReadableFrame {
  readonly frame: Frame
  readonly planes: readonly Buffer[]
}

export function createFrameCopy(): FrameCopy {
  let held: ReadableFrame | undefined

  function end(): void {
    held?.frame.free()
    held = undefined
  }

  return {
    take(source) {
      if (!held || !isAlike(held.frame, source)) {
        end()
        const frame = allocateFrame(source, source.format as AVPixelFormat)
        held = { frame, planes: frame.data! }
      }
      const { frame } = held
      check(frame.copy(source))
      copyColourTags(source, frame)
      return held
    },
    close: end,
  }
}

/** What its numbers mean as colours. */
export function copyColourTags(from: Frame, to: Frame): void {
  const { colorRange, colorSpace, colorPrimaries, colorTrc, chromaLocation } = from
  Object.assign(to, { colorRange, colorSpace, colorPrimaries, colorTrc, chromaLocation } satisfies Partial<Frame>)
}

function isAlike(a: Frame, b: Frame): boolean {
  return a.width === b.width && a.height === b.height && a.format === b.format
}
