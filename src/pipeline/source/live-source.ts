import { systemClock } from '../../core/clock.ts'
import { grantedUrl } from '../../core/hub-path.ts'
import { HostRefused } from '../../outbound/allowed-addresses.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { type PipelineOrder, type VideoInput } from '../messages.ts'
import { type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { reconnectWaitMs } from './reconnect-wait.ts'
import { readRtmp } from './rtmp-reader.ts'
import { readRtsp } from './rtsp-reader.ts'
import { createTimeLine, type TimeLine } from './time-line.ts'

/** What of an order is about a live stream. */
export interface LiveOrder extends Pick<PipelineOrder, 'reconnection' | 'outbound'> {
  readonly input: Exclude<VideoInput, { kind: 'file' }>
}

export interface LiveSourceEvents {
  /** Nothing comes any more; it is tried again. */
  readonly onLost: (sentence: string) => void
  /** Resolves when it is worth trying again at once. */
  readonly retried: () => Promise<void>
  readonly signal: AbortSignal
}

/** A connection that held for so long was no failure. */
const healthyAfterMs = 5_000

/** A live stream, opened again whenever it is lost. */
export async function* liveSource(
  order: LiveOrder,
  { onLost, retried, signal }: LiveSourceEvents,
): AsyncGenerator<SourcePart, void, undefined> {
  const { mayWait, giveUpAfterMs } = order.reconnection
  const timeLine = createTimeLine()
  let hadPackets = mayWait
  let lostAtMs: number | undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    let firstPacketMs = Infinity
    let sentence = ''
    let cause: unknown
    try {
      for await (const part of readOnce(order, timeLine, signal)) {
        if (part.kind === 'packet') {
          hadPackets = true
          lostAtMs = undefined
          firstPacketMs = Math.min(firstPacketMs, performance.now())
        }
        yield part
      }
    } catch (error) {
      if (error instanceof PipelineError) throw error
      // A host that is not to be called will not be later either; one that is not there may come.
      if (error instanceof HostRefused && error.denial)
        throw new PipelineError('source-unreadable', error.message, { cause: error })
      sentence = (error as Error).message
      cause = error
    }
    if (signal.aborted) return
    // Who comes and goes at once is not asked at once.
    if (performance.now() - firstPacketMs > healthyAfterMs) attempt = 0
    if (!hadPackets) throw new PipelineError('source-not-live', sentence, { cause })
    lostAtMs ??= performance.now()
    if (giveUpAfterMs !== null && performance.now() - lostAtMs > giveUpAfterMs) {
      const seconds = Math.round(giveUpAfterMs / 1000)
      throw new PipelineError('source-lost', `The source did not come back within ${seconds} s. ${sentence}`, { cause })
    }
    onLost(sentence)
    await Promise.race([systemClock.sleep(reconnectWaitMs(attempt), signal), retried()])
  }
}

function readOnce({ input, reconnection, outbound }: LiveOrder, timeLine: TimeLine, signal: AbortSignal) {
  const { silenceMs } = reconnection
  if (input.kind === 'hub') return readRtsp({ url: grantedUrl(input), dial: null, silenceMs, timeLine, signal })
  const { url } = input
  const dial = (hostname: string, port: number) => dialAddress(hostname, port, outbound)
  const read = /^rtmps?:/i.test(url) ? readRtmp : readRtsp
  return read({ url, dial, silenceMs, timeLine, signal })
}
