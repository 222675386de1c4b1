import { AV_NOPTS_VALUE, avGetCodecName, type Stream } from 'node-av'
import { type Input, openInput } from '../../av/input.ts'
import { type LiveInput } from '../messages.ts'
import { type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { dialable } from './dial.ts'
import { reconnectWaitMs } from './reconnect-wait.ts'
import { createTimeLine } from './time-line.ts'
import { takenAt } from './wall-clock.ts'

export interface LiveSourceEvents {
  /** Nothing comes any more; it is tried again. */
  onLost(sentence: string): void
  /** Resolves when it is worth trying again at once. */
  retried(): Promise<void>
  readonly signal: AbortSignal
}

/** What our decoders are meant for; others are sent by cameras that are set wrongly. */
const goodCodecs = ['h264', 'hevc']
/** Opening that takes so much longer than silence may last hangs, and only the end of the process helps. */
const hangFactor = 4

/** A live stream, opened again whenever it is lost. */
export async function* liveSource(
  order: LiveInput,
  events: LiveSourceEvents,
): AsyncGenerator<SourcePart, void, undefined> {
  const { signal } = events
  const timeLine = createTimeLine()
  let hadPackets = order.mayWait
  let lostAt: number | undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    let sentence = 'The stream has ended.'
    try {
      for await (const part of readOnce(order, timeLine, signal)) {
        if (part.kind === 'packet') {
          hadPackets = true
          lostAt = undefined
          attempt = 0
        }
        yield part
      }
    } catch (error) {
      if (error instanceof PipelineError) throw error
      sentence = (error as Error).message
    }
    if (signal.aborted) return
    if (!hadPackets) throw new PipelineError('source-not-live', sentence)
    lostAt ??= performance.now()
    const { giveUpAfterMs } = order
    if (giveUpAfterMs !== null && performance.now() - lostAt > giveUpAfterMs)
      throw new PipelineError(
        'source-lost',
        `The source did not come back within ${Math.round(giveUpAfterMs / 1000)} s: ${sentence}`,
      )
    events.onLost(sentence)
    await Promise.race([sleep(reconnectWaitMs(attempt), signal), events.retried()])
  }
}

/** One connection, from its opening to its end. */
async function* readOnce(
  { url, silenceMs, outbound }: LiveInput,
  timeLine: ReturnType<typeof createTimeLine>,
  signal: AbortSignal,
): AsyncGenerator<SourcePart, void, undefined> {
  const hang = setTimeout(() => process.exit(1), hangFactor * silenceMs)
  const input = await open(outbound ? await dialable(url, outbound) : url, silenceMs).finally(() => clearTimeout(hang))
  const interrupt = () => input.interrupt()
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    const stream = videoOf(input)
    timeLine.startStretch()
    yield { kind: 'opened', stream, startedAtMs: null }
    const { num, den } = stream.timeBase
    while (!signal.aborted) {
      const packet = await input.read()
      if (!packet) return
      if (packet.streamIndex !== stream.index) continue
      const arrivedMs = performance.now()
      const ptsMs = packet.pts === AV_NOPTS_VALUE ? undefined : (Number(packet.pts) * 1000 * num) / den
      const times = { takenAtMs: takenAt(packet, Date.now()), arrivedMs, timeMs: timeLine.place(ptsMs, arrivedMs) }
      yield { kind: 'packet', packet, times }
    }
  } finally {
    signal.removeEventListener('abort', interrupt)
    await input.close()
  }
}

async function open(url: string, silenceMs: number): Promise<Input> {
  try {
    return await openInput(url, { timeoutMs: silenceMs })
  } catch (error) {
    throw new Error(`It cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
}

function videoOf({ video }: Input): Stream {
  if (!video) throw new Error('There is no video in it.')
  const codec = avGetCodecName(video.codecpar.codecId) ?? 'unknown'
  if (!goodCodecs.includes(codec))
    throw new PipelineError('source-unreadable', `The video is ${codec}; set the sender to H.264 or H.265.`)
  return video
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
