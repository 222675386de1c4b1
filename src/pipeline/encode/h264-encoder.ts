import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE, type CodecContext, Frame, Packet } from 'node-av'
import { check } from '../../av/faults.ts'
import { TICKS_PER_MS } from '../clock-rate.ts'
import { type EncodedPicture } from '../picture.ts'
import { openH264 } from './h264-context.ts'
import { type OutputPicture } from './output-picture.ts'
import { createRateCap, type RateCap } from './rate-cap.ts'

/** Encodes one picture after the other. A picture of another size begins a new sequence. */
export interface H264Encoder {
  /** Not before the last one is done; `ticks` (90 kHz) must grow. */
  encode(picture: OutputPicture, ticks: number): Promise<EncodedPicture>
  /** The next picture will be one. */
  requestKeyframe(): void
  /** Begins a new sequence with the next picture, as after a failure. */
  reset(): void
  close(): void
}

/** A second, but for the rounding of times. */
const KEYFRAME_INTERVAL_TICKS = 995 * TICKS_PER_MS

interface Opened {
  readonly context: CodecContext
  readonly width: number
  readonly height: number
  readonly cap: RateCap
}

/** `fps` is read when a sequence begins; the real rate may be another. */
export function createH264Encoder(fps: () => number): H264Encoder {
  const packet = new Packet()
  packet.alloc()
  // Times and kinds are noted on a frame of our own, because others read the picture too.
  const frame = new Frame()
  frame.alloc()
  let opened: Opened | undefined
  let encodedTicks = -Infinity
  let keyframeTicks = -Infinity
  let isKeyframeWanted = true

  function contextFor(picture: OutputPicture): CodecContext {
    if (opened?.width !== picture.width || opened.height !== picture.height) {
      reset()
      const { width, height } = picture
      const rate = fps()
      opened = { context: openH264(picture, rate), width, height, cap: createRateCap(picture, rate) }
    }
    return opened.context
  }

  function reset(): void {
    opened?.context.freeContext()
    opened = undefined
    isKeyframeWanted = true
  }

  function adjustCap(context: CodecContext, ticks: number): void {
    const cap = Number.isFinite(encodedTicks) ? opened!.cap.note((ticks - encodedTicks) / TICKS_PER_MS) : undefined
    encodedTicks = ticks
    if (cap === undefined) return
    context.rcMaxRate = BigInt(cap)
    context.rcBufferSize = cap
  }

  return {
    async encode(picture, ticks) {
      const context = contextFor(picture)
      adjustCap(context, ticks)
      const isKeyframe = isKeyframeWanted || ticks - keyframeTicks >= KEYFRAME_INTERVAL_TICKS
      check(frame.ref(picture.frame))
      try {
        frame.pts = BigInt(ticks)
        frame.pictType = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        if (isKeyframe) {
          isKeyframeWanted = false
          keyframeTicks = ticks
        }
        check(await context.sendFrame(frame))
        // The work is done by now: without delay, what was sent comes out.
        check(context.receivePacketSync(packet))
        return {
          data: Buffer.from(packet.data!),
          ptsMs: Number(packet.pts) / TICKS_PER_MS,
          isKeyframe: packet.isKeyframe,
        }
      } finally {
        frame.unref()
        packet.unref()
      }
    },
    requestKeyframe: () => void (isKeyframeWanted = true),
    reset,
    close() {
      reset()
      frame.free()
      packet.free()
    },
  }
}
