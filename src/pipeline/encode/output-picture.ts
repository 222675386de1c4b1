import { AV_PIX_FMT_YUV420P, type Frame } from 'node-av'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { type Size } from '../../core/detection.ts'
import { type YuvPlanes } from '../../core/yuv-planes.ts'

/** A picture of an output's size, in memory of our own: drawn into first, then read by encoders. */
export interface OutputPicture extends Size {
  /** YUV 4:2:0 in studio range. */
  readonly frame: Frame
  /** Its memory. Nothing of it may be touched after the release. */
  readonly planes: YuvPlanes
  /** For one more holder, who releases it too. */
  retain(): void
  /** Gives the memory back once every holder has called it. */
  release(): void
}

export interface OutputPicturePool {
  /** An empty one; its pixels are those of an earlier picture. */
  take(size: Size): OutputPicture
  /** Frees what is not held; the rest is freed when it is released. */
  close(): void
}

interface Memory {
  readonly frame: Frame
  readonly planes: YuvPlanes
}

/**
 * `maxHeld` pictures at once; one more is an error, since somebody forgot to release theirs. Each of four resolutions may hold
 * one that is encoded, two that wait and one that is drawn, and the feed two more. Of those given back `maxIdle` are kept.
 */
export function createOutputPicturePool(maxHeld = 24, maxIdle = maxHeld): OutputPicturePool {
  const idle: Memory[] = []
  let held = 0
  let isClosed = false

  function takeIdle(size: Size): Memory | undefined {
    const index = idle.findLastIndex(({ planes }) => isOfSize(planes, size))
    if (index >= 0) return idle.splice(index, 1)[0]
    // The oldest is of a size that is perhaps no longer wanted.
    if (idle.length >= maxIdle) idle.shift()!.frame.free()
    return undefined
  }

  return {
    take(size) {
      if (held >= maxHeld)
        throw new Error(`${held} output pictures are held at once; release those that are done with.`)
      const memory = takeIdle(size) ?? allocate(size)
      held++
      let holders = 1
      return {
        ...memory,
        width: size.width,
        height: size.height,
        retain() {
          if (holders === 0) throw new Error('An output picture cannot be held any more after its release.')
          holders++
        },
        release() {
          if (holders === 0) throw new Error('An output picture was released twice.')
          holders--
          if (holders > 0) return
          held--
          if (isClosed || idle.length >= maxIdle) memory.frame.free()
          else idle.push(memory)
        },
      }
    },
    close() {
      isClosed = true
      for (const { frame } of idle.splice(0)) frame.free()
    },
  }
}

function isOfSize(a: Size, b: Size): boolean {
  return a.width === b.width && a.height === b.height
}

function allocate({ width, height }: Size): Memory {
  const frame = allocateFrame({ width, height }, AV_PIX_FMT_YUV420P)
  const [y, u, v] = frame.data!.map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array]
  const [strideY, strideUV] = frame.linesize as [number, number]
  return { frame, planes: { width, height, y, u, v, strideY, strideUV } }
}

/** Node's `Buffer` checks more on every `fill` than drawing can afford. */
function bytesOf({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length)
}
