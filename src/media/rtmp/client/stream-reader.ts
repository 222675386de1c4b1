import { createDeadline, unlessAborted } from '../../../core/deadline.ts'
import { createDeferred } from '../../../core/deferred.ts'
import { type Dial } from '../../../outbound/dial.ts'
import { type ProtocolLog } from '../../protocol-server.ts'
import { createTimeSlice } from '../../time-slice.ts'
import { createMessageDemuxer } from '../demux/message-demuxer.ts'
import { type WritablePublication } from '../demux/publication-in-turns.ts'
import { MAX_PER_SLICE } from '../wire/message-loop.ts'
import { type RtmpMessage, RtmpProtocolError } from '../wire/message.ts'
import { openRtmpPlayer } from './player.ts'
import { parseRtmpAddress } from './rtmp-address.ts'
import { RtmpClientError, RtmpUnreadableError } from './server-sentence.ts'

export interface ReadRtmpOptions {
  readonly url: string
  readonly dial: Dial
  /** Where the stream goes; of this reading alone, since a stream begins once. */
  readonly publication: WritablePublication
  readonly log: ProtocolLog
  /** How long no video may come, and how long each answer may take. */
  readonly silenceMs: number
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** The publication has started. */
  readonly onLive?: () => void
  readonly now?: () => number
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
}

/** Video may begin as late as silence may last, and some of it is looked at before the stream starts. */
const LIVE_WITHIN_SILENCES = 2

/**
 * One reading of somebody's RTMP server into a publication. Resolves when `signal` has ended it; rejects with a sentence when
 * there is nothing to read, or no more: by `RtmpUnreadableError` when trying again would not help, and by what `dial` rejects with.
 */
export async function readRtmpStream(options: ReadRtmpOptions): Promise<void> {
  const { url, dial, silenceMs, signal, ca } = options
  const address = parseRtmpAddress(url)
  const slice = createTimeSlice(MAX_PER_SLICE)
  const failed = createDeferred<never>()
  // It may fail before anybody waits for it.
  failed.promise.catch(() => {})
  const live = createDeadline(() => failed.reject(new RtmpClientError(sayNoPictures(address.label))))
  let isLive = false
  try {
    const host = await unlessAborted(dial(address.hostname, address.port), signal)
    const demuxer = createMessageDemuxer({
      publication: withVideo(options, () => {
        isLive = true
        live.clear()
      }),
      slice,
      log: options.log,
      now: options.now ?? Date.now,
      onUnsupportedVideo(codec) {
        throw new RtmpUnreadableError(`The video is ${codec}; set the sender to H.264 or H.265.`)
      },
    })
    const player = await openRtmpPlayer(url, {
      connect: { host, ca },
      timeouts: { answerMs: silenceMs },
      silenceMs,
      slice,
      signal,
      sink: untilFailure(
        (message) => demuxer.handle(message),
        (error) => failed.reject(error),
      ),
    })
    if (!isLive) live.set(LIVE_WITHIN_SILENCES * silenceMs)
    player.onEnd((sentence) => failed.reject(new RtmpClientError(sentence)))
    await unlessAborted(failed.promise, signal).finally(() => player.close())
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    live.clear()
  }
}

/** A camera without pictures is none: audio alone does not start. */
function withVideo({ publication, onLive }: ReadRtmpOptions, onStart: () => void): WritablePublication {
  return {
    path: publication.path,
    start(description) {
      if (!description.tracks.some(({ kind }) => kind === 'video'))
        throw new RtmpClientError('There is no video in it.')
      publication.start(description)
      onStart()
      onLive?.()
    },
    write: (track, data) => publication.write(track, data),
    report: (report) => publication.report(report),
  }
}

type Sink = (message: RtmpMessage) => void | Promise<void>

/** Our own sentences about the stream are its end as they are; other errors are the connection's to report. */
function untilFailure(sink: Sink, fail: (error: Error) => void): Sink {
  let hasFailed = false
  return (message) => {
    if (hasFailed) return
    try {
      return sink(message)
    } catch (error) {
      hasFailed = true
      if (error instanceof RtmpProtocolError) fail(new RtmpClientError(error.message))
      else if (error instanceof RtmpClientError) fail(error)
      else throw error
    }
  }
}

const sayNoPictures = (label: string) => `${label} sends video, but no pictures can be read from it; check its sender.`
