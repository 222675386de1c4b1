import { dropOldest } from '../../core/drop-oldest.ts'
import { type PictureLimit, PictureTooLargeError } from '../../core/picture-limit.ts'
import { createBreakCount } from '../break-count.ts'
import {
  type LiveTimes,
  type OpenedPart,
  type OpenedVideo,
  type PacketPart,
  type Picture,
  type SourcePart,
} from '../picture.ts'
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

/** Turns packets into pictures with the time at which each was taken. A new stream gets a new decoder. */
export interface SourceDecoder {
  /** Another stream. */
  open(part: OpenedPart): void
  /** The pictures that this packet completes: each is decoded when it is asked for. */
  decode(part: PacketPart): Iterable<Picture>
  /** What waits for others, at the end. */
  flush(): Iterable<Picture>
  close(): void
}

export function decode(options: DecodeOptions): Stage<SourcePart, Picture> {
  return async function* (parts) {
    const decoder = createSourceDecoder(options)
    try {
      for await (const part of parts) {
        if (part.kind === 'opened') decoder.open(part)
        else yield* decoder.decode(part)
      }
      yield* decoder.flush()
    } finally {
      decoder.close()
    }
  }
}

export function createSourceDecoder(options: DecodeOptions): SourceDecoder {
  let decoder: DatedDecoder | undefined

  function* withinLimits(decoded: () => Iterable<Picture> | undefined): Iterable<Picture> {
    try {
      yield* decoded() ?? []
    } catch (error) {
      throw error instanceof PictureTooLargeError ? unreadable(error) : error
    }
  }

  return {
    open({ video, startedAtMs }) {
      decoder?.close()
      decoder = createDatedDecoder(video, startedAtMs, options)
      options.onOpened(video)
    },
    decode: (part) => withinLimits(() => decoder?.decode(part)),
    flush: () => withinLimits(() => decoder?.flush()),
    close: () => decoder?.close(),
  }
}

interface DatedDecoder {
  decode(part: PacketPart): Iterable<Picture>
  flush(): Iterable<Picture>
  close(): void
}

function createDatedDecoder(
  video: OpenedVideo,
  startedAtMs: number | null,
  { limit, onBroken }: DecodeOptions,
): DatedDecoder {
  const decoder = openDecoder(video, { isLive: startedAtMs === null, limit })
  const intervalMs = 1000 / (video.fps ?? 25)
  const breaksUntil = createBreakCount()
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
      if (times) yield { decoded, ptsSeconds: ptsMs / 1000, ...times }
      else decoded.release()
    }
    for (; broken < decoder.stats.brokenPackets; broken++) onBroken()
  }

  /** Null for what nobody is to see. */
  function timesOf(pts: bigint | undefined, ptsMs: number): LiveTimes | null {
    if (startedAtMs !== null) {
      const takenAtMs = startedAtMs + ptsMs
      const breaks = breaksUntil(ptsMs)
      return { takenAtMs, arrivedMs: performance.now(), timeMs: ptsMs, rtpTimestamp: null, breaks }
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
