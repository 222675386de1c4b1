import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AVMEDIA_TYPE_VIDEO, CodecParameters, Packet } from 'node-av'
import { createBoundedQueue } from '../../core/bounded-queue.ts'
import { createH264Depacketizer } from '../../media/rtp/h264-depacketizer.ts'
import { createH265Depacketizer } from '../../media/rtp/h265-depacketizer.ts'
import { type AccessUnit } from '../../media/rtp/access-unit.ts'
import { RtspClientError } from '../../media/rtsp-client/connection.ts'
import { openRtspPlayer } from '../../media/rtsp-client/player.ts'
import { type MediaTrack, type SenderReport } from '../../media/stream.ts'
import { type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { type TimeLine } from './time-line.ts'
import { plausible } from './wall-clock.ts'

export interface HubReaderOptions {
  readonly url: string
  readonly silenceMs: number
  readonly timeLine: TimeLine
  readonly signal: AbortSignal
}

interface ArrivedUnit extends AccessUnit {
  /** On the steady clock, and on the wall's. */
  readonly arrivedMs: number
  readonly arrivedAtMs: number
  readonly wallClockMs: number | undefined
}

/** Some seconds of video: who is further behind will not catch up, and begins anew. */
const mostWaiting = 300
const startCode = Buffer.of(0, 0, 0, 1)
const codecs = {
  h264: { id: AV_CODEC_ID_H264, createDepacketizer: createH264Depacketizer },
  h265: { id: AV_CODEC_ID_HEVC, createDepacketizer: createH265Depacketizer },
} as const

/**
 * One reading of a path on our own media server, by our own client: it begins at once with the last keyframe, knows each
 * picture's RTP timestamp (by which viewers can be matched with detections), and can be left at any time.
 */
export async function* readHub(options: HubReaderOptions): AsyncGenerator<SourcePart, void, undefined> {
  const { url, silenceMs, timeLine, signal } = options
  const player = await openRtspPlayer(url).catch((error: unknown) => {
    const isMissing = error instanceof RtspClientError && error.status === 404
    throw isMissing ? new Error('Nothing is being published to it now.', { cause: error }) : error
  })
  const units = createBoundedQueue<ArrivedUnit>({ limit: mostWaiting, overflow: 'refuse' })
  let end: string | undefined
  function finish(sentence: string): void {
    end ??= sentence
    units.close()
  }
  const leave = () => finish('We left.')
  signal.addEventListener('abort', leave, { once: true })
  const watchdog = setTimeout(() => finish(`Nothing has come for ${silenceMs / 1000} s.`), silenceMs)
  const packet = new Packet()
  packet.alloc()
  const parameters = new CodecParameters()
  parameters.alloc()
  try {
    const index = player.description.tracks.findIndex(({ kind }) => kind === 'video')
    const track = videoTrack(player.description.tracks[index])
    const { id, createDepacketizer } = codecs[track.codec]
    const depacketizer = createDepacketizer()
    let report: SenderReport | undefined
    const wallClockOf = (timestamp: number) =>
      // Timestamps wrap around after 2^32 ticks: the difference is meant, as a signed number.
      report && report.wallClockMs + (((timestamp - report.timestamp) | 0) * 1000) / track.clockRate

    await player.start(
      {
        packet(_track, data) {
          watchdog.refresh()
          const arrivedMs = performance.now()
          // A copy: the rest of a picture may come with a later read.
          for (const unit of depacketizer.push(Buffer.from(data))) {
            const isTaken = units.push({
              ...unit,
              arrivedMs,
              arrivedAtMs: Date.now(),
              wallClockMs: wallClockOf(unit.timestamp),
            })
            if (!isTaken) finish('The machine is too slow for this stream.')
          }
        },
        report: (newest) => void (newest.track === index && (report = newest)),
        end: (reason) => finish(`The stream has ended: ${reason}.`),
      },
      (candidate) => candidate === index,
    )
    parameters.codecType = AVMEDIA_TYPE_VIDEO
    parameters.codecId = id
    timeLine.startStretch()
    const timeBase = { num: 1, den: track.clockRate }
    yield { kind: 'opened', video: { codecpar: parameters, timeBase, codec: track.codec }, startedAtMs: null }

    let sets: readonly Buffer[] = track.parameterSets ?? []
    const unwrap = createUnwrapper()
    for await (const unit of units) {
      // The sets that the description told stand before the first picture; later ones come in band.
      packet.data = Buffer.concat([...sets, ...unit.nalUnits].flatMap((nalUnit) => [startCode, nalUnit]))
      sets = []
      packet.pts = BigInt(unwrap(unit.timestamp))
      const ptsMs = (Number(packet.pts) * 1000) / track.clockRate
      const times = {
        takenAtMs: plausible(unit.wallClockMs, unit.arrivedAtMs),
        arrivedMs: unit.arrivedMs,
        timeMs: timeLine.place(ptsMs, unit.arrivedMs),
        rtpTimestamp: unit.timestamp,
      }
      yield { kind: 'packet', packet, times }
      packet.unref()
    }
    if (!signal.aborted) throw new Error(end)
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', leave)
    await player.close()
    packet.free()
    parameters.free()
  }
}

function videoTrack(track: MediaTrack | undefined): MediaTrack & { codec: 'h264' | 'h265' } {
  if (!track) throw new Error('There is no video in it.')
  const { codec, encodingName } = track
  if (codec === 'h264' || codec === 'h265') return { ...track, codec }
  throw new PipelineError('source-unreadable', `The video is ${encodingName}; set the sender to H.264 or H.265.`)
}

/** RTP timestamps, which wrap around, as one growing number that begins with 0. */
function createUnwrapper(): (timestamp: number) => number {
  let last: number | undefined
  let value = 0
  return (timestamp) => {
    value += last === undefined ? 0 : (timestamp - last) | 0
    last = timestamp
    return value
  }
}
