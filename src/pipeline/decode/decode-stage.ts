import { dropOldest } from '../../core/drop-oldest.ts'
import { type PictureLimit, PictureTooLargeError } from '../../core/picture-limit.ts'
import { type LiveTimes, type OpenedVideo, type Picture, type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { type Stage } from '../stage.ts'
import { type DecodedFrame } from './frame-pool.ts'
import { createVideoDecoder, type DecoderOptions, type VideoDecoder } from './video-decoder.ts'

export interface DecodeOptions {
  readonly limit: PictureLimit
  readonly onOpened: (video: OpenedVideo) => void
  /** A packet was broken, or belonged to a picture whose beginning was missed. */
  readonly onBroken: () => void
}

/** Decoders hold few pictures back; times of older packets are of pictures that were lost. */
const MAX_TIMES = 64
/** After a longer break tracks end. */
const MAX_BREAK_MS = 2_000

/** Turns packets into pictures with the time at which each was taken. A new stream gets a new decoder. */
export function decode(options: DecodeOptions): Stage<SourcePart, Picture> {
  return async function* (parts) {
    let decoder: DatedDecoder | undefined
    const breaksUntil = createBreakCount()
    try {
      for await (const part of parts) {
        if (part.kind === 'opened') {
          decoder?.close()
          decoder = createDatedDecoder(part.video, part.startedAtMs, breaksUntil, options)
          options.onOpened(part.video)
        } else if (decoder) yield* decoder.decode(part)
      }
      if (decoder) yield* decoder.flush()
    } catch (error) {
      throw error instanceof PictureTooLargeError ? unreadable(error) : error
    } finally {
      decoder?.close()
    }
  }
}

/** Of all decoders, since a source that comes back gets another. */
function createBreakCount(): (timeMs: number) => number {
  let lastMs: number | undefined
  let breaks = 0
  return (timeMs) => {
    if (lastMs !== undefined && Math.abs(timeMs - lastMs) > MAX_BREAK_MS) breaks += 1
    lastMs = timeMs
    return breaks
  }
}

interface DatedDecoder {
  decode(part: Extract<SourcePart, { kind: 'packet' }>): Iterable<Picture>
  flush(): Iterable<Picture>
  close(): void
}

function createDatedDecoder(
  video: OpenedVideo,
  startedAtMs: number | null,
  breaksUntil: (timeMs: number) => number,
  { limit, onBroken }: DecodeOptions,
): DatedDecoder {
  const decoder = openDecoder(video, { isLive: startedAtMs === null, limit })
  const intervalMs = 1000 / (video.fps ?? 25)
  /** Pictures come out in another order than packets went in. */
  const timesByPts = new Map<bigint, LiveTimes | null>()
  let newest: LiveTimes | null = null
  let lastPtsMs = -intervalMs
  let broken = 0

  function note(pts: bigint, times: LiveTimes | null): void {
    newest = times
    timesByPts.set(pts, times)
    dropOldest(timesByPts, MAX_TIMES)
  }

  function* dated(frames: Iterable<DecodedFrame>): Iterable<Picture> {
    for (const decoded of frames) {
      const ptsMs = decoded.ptsMs ?? lastPtsMs + intervalMs
      lastPtsMs = ptsMs
      const times = timesOf(decoded.pts, ptsMs)
      if (times) yield { decoded, ptsSeconds: ptsMs / 1000, breaks: breaksUntil(times.timeMs), ...times }
      else decoded.release()
    }
    for (; broken < decoder.stats.brokenPackets; broken++) onBroken()
  }

  /** Null for what nobody is to see. */
  function timesOf(pts: bigint | undefined, ptsMs: number): LiveTimes | null {
    if (startedAtMs !== null) {
      return { takenAtMs: startedAtMs + ptsMs, arrivedMs: performance.now(), timeMs: ptsMs, rtpTimestamp: null }
    }
    const own = pts === undefined ? undefined : timesByPts.get(pts)
    if (own !== undefined) timesByPts.delete(pts!)
    return own === undefined ? newest : own
  }

  return {
    decode({ packet, times }) {
      if (startedAtMs === null) note(packet.pts, times)
      return dated(decoder.decode(packet))
    },
    flush: () => dated(decoder.flush()),
    close: () => decoder.close(),
  }
}

function openDecoder(video: OpenedVideo, options: DecoderOptions): VideoDecoder {
  try {
    return createVideoDecoder(video, options)
  } catch (error) {
    throw unreadable(error)
  }
}

function unreadable(error: unknown): PipelineError {
  return new PipelineError('source-unreadable', (error as Error).message, { cause: error })
}
