import { systemClock } from '../../core/clock.ts'
import { backoffMs } from '../../core/retry.ts'
import { grantedUrl, type HubPath } from '../../core/video-output.ts'
import { createBreakCount } from '../break-count.ts'
import { type PipelineOrder } from '../messages.ts'
import { type PictureWatch } from '../picture-watch.ts'
import { type SourcePart } from '../picture.ts'
import { PipelineError } from '../pipeline-error.ts'
import { createRepeatedUnits } from './repeated-units.ts'
import { readRtsp } from './rtsp-reader.ts'
import { createTimeLine } from './time-line.ts'

/** What of an order is about a live stream. */
export interface LiveOrder extends Pick<PipelineOrder, 'reconnection'> {
  readonly input: HubPath
}

export interface LiveSourceEvents {
  /** Nothing comes any more; it is tried again. */
  readonly onLost: (sentence: string) => void
  /** Resolves when it is worth trying again at once. */
  readonly retried: () => Promise<void>
  /** What came before a picture was lost on the way. */
  readonly onLoss: () => void
  readonly watch: Pick<PictureWatch, 'start' | 'hasPicture' | 'isFailing'>
  readonly signal: AbortSignal
}

/** A connection that held for so long was no failure. */
const HEALTHY_AFTER_MS = 5_000

const NO_PICTURE = 'Packets come, but no picture can be made of them.'

/** A live stream, opened again whenever it is lost. */
export async function* liveSource(
  order: LiveOrder,
  { onLost, retried, onLoss, watch, signal }: LiveSourceEvents,
): AsyncGenerator<SourcePart, void, undefined> {
  const { mayWait, giveUpAfterMs, silenceMs } = order.reconnection
  /** What outlasts a loss. */
  const memory = {
    timeLine: createTimeLine(),
    repeatedUnits: createRepeatedUnits(),
    breaksUntil: createBreakCount(),
  }
  let hadPackets = mayWait
  let lostAtMs: number | undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    let firstPictureMs = Infinity
    let sentence = ''
    let cause: unknown
    watch.start()
    try {
      for await (const part of readRtsp({ url: grantedUrl(order.input), silenceMs, ...memory, onLoss, signal })) {
        yield part
        if (part.kind === 'opened') continue
        hadPackets = true
        if (watch.isFailing) throw new Error(NO_PICTURE)
        if (!watch.hasPicture) continue
        firstPictureMs = Math.min(firstPictureMs, performance.now())
        // What was sent before is no sign that it is back.
        if (part.times) lostAtMs = undefined
      }
    } catch (error) {
      if (error instanceof PipelineError) throw error
      sentence = (error as Error).message
      cause = error
    }
    if (signal.aborted) return
    // A source that is lost as soon as it is found is not reconnected at once.
    if (performance.now() - firstPictureMs > HEALTHY_AFTER_MS) attempt = 0
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

const RECONNECT_WAITS = { firstMs: 250, maxMs: 10_000 }

/** How long to wait before a lost source is tried for the nth time: at once, then with growing waits. */
export function reconnectWaitMs(attempt: number): number {
  return attempt === 0 ? 0 : backoffMs(attempt, RECONNECT_WAITS)
}
