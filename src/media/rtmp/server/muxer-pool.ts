import { type StreamDescription } from '../../stream.ts'
import { createStreamMuxer, type StreamMuxer } from './stream-muxer.ts'

/** One muxer a path, for as long as somebody reads there by RTMP. */
export interface MuxerPool {
  /** Undefined when there is nothing in the stream that RTMP can carry. */
  take(path: string, description: StreamDescription): StreamMuxer | undefined
  /** Must be called once for each one taken, at the latest when the stream ends: the path's next one is another. */
  giveBack(path: string): void
}

export function createMuxerPool(): MuxerPool {
  const muxers = new Map<string, { muxer: StreamMuxer; users: number }>()
  return {
    take(path, description) {
      const known = muxers.get(path)
      if (known) {
        known.users += 1
        return known.muxer
      }
      const muxer = createStreamMuxer(description)
      if (muxer) muxers.set(path, { muxer, users: 1 })
      return muxer
    },
    giveBack(path) {
      const known = muxers.get(path)
      if (known && --known.users === 0) muxers.delete(path)
    },
  }
}
