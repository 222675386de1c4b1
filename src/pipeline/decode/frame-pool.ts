import { AV_FRAME_FLAG_CORRUPT, AV_NOPTS_VALUE, Frame, type IRational } from 'node-av'

/** A picture of the video, in the decoder's own format and memory. */
export interface DecodedFrame {
  /** Its planes; only for reading, because the decoder may still refer to them. Nothing of it may be used after the release. */
  readonly frame: Frame
  /** May change from one picture to the next. */
  readonly width: number
  readonly height: number
  /** In units of the stream's time base; undefined where the stream doesn't say. */
  readonly pts: bigint | undefined
  /** The same in milliseconds. */
  readonly ptsMs: number | undefined
  readonly isKeyframe: boolean
  /** Parts of it were lost on the way and made up by the decoder. */
  readonly isDamaged: boolean
  /** For one more holder, who releases it too. */
  retain(): void
  /** Gives the memory back once every holder has called it. */
  release(): void
}

export interface FramePool {
  /** A picture filled by `fill`, or the negative number that it answered. */
  take(fill: (empty: Frame) => number): DecodedFrame | number
  /** Frees what is not held; the rest is freed when it is released. */
  close(): void
}

export interface FramePoolOptions {
  readonly maxHeld: number
  readonly timeBase: IRational
}

export function createFramePool({ maxHeld, timeBase }: FramePoolOptions): FramePool {
  const idle: Frame[] = []
  let held = 0
  let isClosed = false

  function giveBack(frame: Frame): void {
    held--
    frame.unref()
    if (isClosed) frame.free()
    else idle.push(frame)
  }

  function describe(frame: Frame): DecodedFrame {
    const time = frame.bestEffortTimestamp
    const pts = time === AV_NOPTS_VALUE ? undefined : time
    let holders = 1
    return {
      frame,
      width: frame.width,
      height: frame.height,
      pts,
      ptsMs: pts === undefined ? undefined : (Number(pts) * 1000 * timeBase.num) / timeBase.den,
      isKeyframe: frame.keyFrame !== 0,
      isDamaged: frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT),
      retain() {
        if (holders === 0) throw new Error('A picture cannot be held any more after its release.')
        holders++
      },
      release() {
        if (holders === 0) throw new Error('A picture was released twice.')
        holders--
        if (holders === 0) giveBack(frame)
      },
    }
  }

  return {
    take(fill) {
      const frame = idle.pop() ?? emptyFrame()
      const result = fill(frame)
      if (result < 0) {
        idle.push(frame)
        return result
      }
      if (held >= maxHeld) {
        frame.free()
        throw new Error(`${held} pictures are held at once; release those that are done with.`)
      }
      held++
      return describe(frame)
    },
    close() {
      isClosed = true
      for (const frame of idle.splice(0)) frame.free()
    },
  }
}

function emptyFrame(): Frame {
  const frame = new Frame()
  frame.alloc()
  return frame
}
