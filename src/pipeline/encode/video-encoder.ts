import { TICKS_PER_MS } from '../clock-rate.ts'
import { type EncodedPicture } from '../picture.ts'
import { createH264Encoder } from './h264-encoder.ts'
import { type OutputPicture } from './output-picture.ts'

/** Encodes once for any number of subscribers, off the calling thread. Nothing is encoded while there are none. */
export interface VideoEncoder {
  /**
   * Encodes the picture, holding it for as long as that takes. `ptsMs` must grow: a picture that is not newer than the last
   * one is left out. At most two wait; then the oldest is dropped. The size may change, which begins a new sequence.
   */
  encode(picture: OutputPicture, ptsMs: number): void
  /** From the next keyframe on, which is made at once. Returns how to unsubscribe. */
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

const MAX_WAITING = 2

export function createVideoEncoder({ fps = () => 30, onFailed = () => {} }: VideoEncoderOptions = {}): VideoEncoder {
  const stats = { encoded: 0, dropped: 0, refused: 0, failed: 0 }
  const listeners = new Map<(encoded: EncodedPicture) => void, { hasBegun: boolean }>()
  const waiting: Waiting[] = []
  const encoder = createH264Encoder(fps)
  let newestTicks = -Infinity
  let working: Promise<void> | undefined
  let isClosed = false

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
        deliver(await encoder.encode(next.picture, next.ticks))
      } catch (error) {
        stats.failed++
        encoder.reset()
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
      const ticks = Math.round(ptsMs * TICKS_PER_MS)
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
    subscribe(listener) {
      listeners.set(listener, { hasBegun: false })
      encoder.requestKeyframe()
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      listeners.clear()
      for (const { picture } of waiting.splice(0)) picture.release()
      await working
      encoder.close()
    },
  }
}
