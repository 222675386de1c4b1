import { AV_NOPTS_VALUE } from 'node-av'
import { type Input } from '../../av/input.ts'
import { openRtmpPull, type PullOptions } from '../../media/rtmp/client/pull.ts'
import { HostRefused } from '../../outbound/allowed-addresses.ts'
import { type OpenedVideo, type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { openedVideo } from './opened-video.ts'
import { type TimeLine } from './time-line.ts'

export interface RtmpReaderOptions {
  readonly url: string
  readonly dial: PullOptions['dial']
  readonly silenceMs: number
  readonly timeLine: TimeLine
  readonly signal: AbortSignal
}

/** What our decoders are meant for; others are sent by cameras that are set wrongly. */
const goodCodecs = ['h264', 'hevc']
/** Opening that takes so much longer than silence may last hangs, and only the end of the process helps. */
const hangFactor = 4

/** One reading of somebody's RTMP server, by FFmpeg. */
export async function* readRtmp(options: RtmpReaderOptions): AsyncGenerator<SourcePart, void, undefined> {
  const { silenceMs, timeLine, signal } = options
  const input = await open(options)
  const interrupt = () => input.interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    const video = usable(input)
    timeLine.startStretch()
    yield { kind: 'opened', video, startedAtMs: null }
    const { num, den } = video.timeBase
    let videoAtMs = performance.now()
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) throw new Error('The stream has ended, or nothing came any more.')
      if (packet.streamIndex !== input.video!.index) {
        // Sound alone keeps the connection alive, but is no video.
        if (performance.now() - videoAtMs > silenceMs) throw new Error(`No video has come for ${silenceMs / 1000} s.`)
        continue
      }
      const arrivedMs = performance.now()
      videoAtMs = arrivedMs
      const ptsMs = packet.pts === AV_NOPTS_VALUE ? undefined : (Number(packet.pts) * 1000 * num) / den
      const times = {
        // RTMP has no wall clock: what has just come was taken just now.
        takenAtMs: Date.now(),
        arrivedMs,
        timeMs: timeLine.place(ptsMs, arrivedMs),
        rtpTimestamp: null,
      }
      yield { kind: 'packet', packet, times }
    }
  } finally {
    signal.removeEventListener('abort', interrupt)
    await input.close()
  }
}

async function open({ url, dial, silenceMs }: RtmpReaderOptions): Promise<Input> {
  const hang = setTimeout(() => process.exit(1), hangFactor * silenceMs)
  try {
    return await openRtmpPull(url, { dial, timeoutMs: silenceMs })
  } catch (error) {
    if (error instanceof HostRefused) throw error
    throw new Error(`It cannot be opened: ${(error as Error).message}`, { cause: error })
  } finally {
    clearTimeout(hang)
  }
}

function usable({ video }: Input): OpenedVideo {
  if (!video) throw new Error('There is no video in it.')
  const opened = openedVideo(video)
  if (goodCodecs.includes(opened.codec)) return opened
  throw new PipelineError('source-unreadable', `The video is ${opened.codec}; set the sender to H.264 or H.265.`)
}
