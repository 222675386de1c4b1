import { MAX_PARTS } from '../../rtp/part-limit.ts'
import { type Frame } from './stream-writer.ts'

/** Frames that wait until it is known what tracks there are. When it is full the stream has to begin. */
export interface WaitingFrames {
  /** `bytes` is what the frame holds of memory. */
  add(frame: Frame, bytes: number): void
  /** From the first frame to the last, by arrival or by the stream's own time: files may be sent faster than they play. */
  readonly spanMs: number
  readonly isFull: boolean
  /** All of them, in order; none waits afterwards. */
  drain(): readonly Frame[]
}

const MAX_FRAMES = 500
const MAX_BYTES = 8 * 1024 * 1024

export function createWaitingFrames(): WaitingFrames {
  let frames: Frame[] = []
  let heldBytes = 0
  /** NAL units: each is an object of its own, however small. */
  let parts = 0

  return {
    add(frame, bytes) {
      frames.push(frame)
      heldBytes += bytes
      parts += frame.kind === 'video' ? frame.unit.length : 1
    },
    get spanMs() {
      const [first, last] = [frames[0], frames.at(-1)]
      if (!first || !last) return 0
      return Math.max(last.arrivedAtMs - first.arrivedAtMs, last.presentationMs - first.presentationMs)
    },
    get isFull() {
      return frames.length >= MAX_FRAMES || heldBytes >= MAX_BYTES || parts >= MAX_PARTS
    },
    drain() {
      const drained = frames
      frames = []
      heldBytes = 0
      parts = 0
      return drained
    },
  }
}
