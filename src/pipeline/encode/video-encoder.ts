import { AV_PICTURE_TYPE_I, AV_PICTURE_TYPE_NONE, type CodecContext, Frame, Packet } from 'node-av'
import { check } from '../../av/check.ts'
import { CLOCK_RATE, openH264 } from './h264-context.ts'
import { type OutputPicture } from './output-picture.ts'
import { createRateCap, type RateCap } from './rate-cap.ts'

/** One picture of H.264. */
export interface EncodedPicture {
  /** Annex B; a keyframe begins with its parameter sets. */
  readonly data: Buffer
  readonly ptsMs: number
  readonly isKeyframe: boolean
}

/** Encodes once for any number of subscribers, off the calling thread. Nothing is encoded while there are none. */
export interface VideoEncoder {
  /**
   * Encodes the picture, holding it for as long as that takes. `ptsMs` must grow: a picture that is not newer than the last
   * one is left out. At most two wait; then the oldest is dropped. The size may change, which begins a new sequence.
   */
  encode(picture: OutputPicture, ptsMs: number): void
  /** The next picture will be one. */
  requestKeyframe(): void
  /** From the next keyframe on, which is made at once. Answers how to end it. */
  subscribe(listener: (encoded: EncodedPicture) => void): () => void
  readonly stats: EncoderStats
  /** Drops what waits; resolves when everything is released. */
  close(): Promise<void>
}

export interface EncoderStats {
  readonly encoded: number
  /** Because the machine was too slow. */
  readonly dropped: number
  /** Not newer than the one before. */
  readonly refused: number
  readonly failed: number
}

export interface VideoEncoderOptions {
  /** Of the source, where it is known; the real rate may be another. */
  readonly fps?: () => number
  /** A picture could not be encoded, after which it goes on with a keyframe; or a subscriber threw. */
  readonly onFailed?: (error: Error) => void
}

interface Waiting {
  readonly picture: OutputPicture
  readonly ticks: number
}

interface Opened {
  readonly context: CodecContext
  readonly width: number
  readonly height: number
  readonly cap: RateCap
}

const MAX_WAITING = 2
const ticksPerMs = CLOCK_RATE / 1000
/** A second, but for the rounding of times. */
const keyframeEveryTicks = 995 * ticksPerMs

export function createVideoEncoder({ fps = () => 30, onFailed = () => {} }: VideoEncoderOptions = {}): VideoEncoder {
  const stats = { encoded: 0, dropped: 0, refused: 0, failed: 0 }
  const listeners = new Map<(encoded: EncodedPicture) => void, { hasBegun: boolean }>()
  const waiting: Waiting[] = []
  const packet = new Packet()
  packet.alloc()
  // Times and kinds are noted on a frame of our own, because others read the picture too.
  const frame = new Frame()
  frame.alloc()
  let opened: Opened | undefined
  let newestTicks = -Infinity
  let encodedTicks = -Infinity
  let keyframeTicks = -Infinity
  let isKeyframeWanted = true
  let working: Promise<void> | undefined
  let isClosed = false

  function contextFor(picture: OutputPicture): CodecContext {
    if (opened?.width !== picture.width || opened.height !== picture.height) {
      end()
      const { width, height } = picture
      const rate = fps()
      opened = { context: openH264(picture, rate), width, height, cap: createRateCap(picture, rate) }
    }
    return opened.context
  }

  function end(): void {
    opened?.context.freeContext()
    opened = undefined
    isKeyframeWanted = true
  }

  function keepCap(context: CodecContext, ticks: number): void {
    const cap = Number.isFinite(encodedTicks) ? opened!.cap.note((ticks - encodedTicks) / ticksPerMs) : undefined
    encodedTicks = ticks
    if (cap === undefined) return
    context.rcMaxRate = BigInt(cap)
    context.rcBufferSize = cap
  }

  async function encodeOne({ picture, ticks }: Waiting): Promise<EncodedPicture> {
    const context = contextFor(picture)
    keepCap(context, ticks)
    const isKeyframe = isKeyframeWanted || ticks - keyframeTicks >= keyframeEveryTicks
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
        ptsMs: Number(packet.pts) / ticksPerMs,
        isKeyframe: packet.isKeyframe,
      }
    } finally {
      frame.unref()
      packet.unref()
    }
  }

  function deliver(encoded: EncodedPicture): void {
    stats.encoded++
    for (const [listener, state] of listeners) {
      state.hasBegun ||= encoded.isKeyframe
      if (!state.hasBegun) continue
      try {
        listener(encoded)
      } catch (error) {
        onFailed(error as Error)
      }
    }
  }

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        deliver(await encodeOne(next))
      } catch (error) {
        stats.failed++
        end()
        onFailed(error as Error)
      } finally {
        next.picture.release()
      }
    }
    working = undefined
  }

  return {
    stats,
    encode(picture, ptsMs) {
      if (isClosed || listeners.size === 0) return
      const ticks = Math.round(ptsMs * ticksPerMs)
      if (!(ticks > newestTicks)) {
        stats.refused++
        return
      }
      newestTicks = ticks
      picture.retain()
      waiting.push({ picture, ticks })
      if (waiting.length > MAX_WAITING) {
        waiting.shift()!.picture.release()
        stats.dropped++
      }
      working ??= work()
    },
    requestKeyframe: () => void (isKeyframeWanted = true),
    subscribe(listener) {
      listeners.set(listener, { hasBegun: false })
      isKeyframeWanted = true
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      listeners.clear()
      for (const { picture } of waiting.splice(0)) picture.release()
      await working
      end()
      frame.free()
      packet.free()
    },
  }
}
