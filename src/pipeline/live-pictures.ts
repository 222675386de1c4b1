import { createSourceDecoder } from './decode/decode-stage.ts'
import { createHeldPackets } from './decode/held-packets.ts'
import { newest, type NewestPictures } from './hand-over.ts'
import { type LiveBranch } from './live-branch.ts'
import { type PipelineOrder } from './messages.ts'
import { type PauseSwitch } from './pause.ts'
import { createPictureWatch } from './picture-watch.ts'
import { type Rest } from './rest.ts'
import { type SourceStatus } from './source-status.ts'
import { liveSource, type LiveOrder } from './source/live-source.ts'
import { type Statistics } from './statistics.ts'

export interface LivePicturesOptions {
  readonly order: Pick<PipelineOrder, 'reconnection' | 'maxPicture'>
  readonly status: SourceStatus
  readonly statistics: Pick<Statistics, 'arrived' | 'broken' | 'lost' | 'dropped' | 'spared'>
  readonly pause: Pick<PauseSwitch, 'isPaused' | 'resumed'>
  readonly rest: Pick<Rest, 'isResting' | 'isWorthDecoding' | 'forget'>
  readonly branch: LiveBranch
  readonly signal: AbortSignal
}

/** Source ▶ decode ▶ newest: a live source is drained from now on, whether or not anybody asks. */
export function livePictures(input: LiveOrder['input'], options: LivePicturesOptions): NewestPictures {
  const { order, status, statistics, pause, rest, branch, signal } = options
  const watch = createPictureWatch(order.reconnection.silenceMs, () => performance.now())
  const source = liveSource(
    { input, reconnection: order.reconnection },
    {
      signal,
      watch,
      onLost: (sentence) => status.onLost(sentence),
      retried: () => status.retryRequested(),
      onLoss: () => statistics.lost(),
    },
  )
  // Of what is not looked at anyway nothing is missed.
  const onDropped = () => pause.isPaused || rest.isResting || statistics.dropped()
  return newest(source, {
    decoder: createSourceDecoder({
      limit: order.maxPicture,
      onOpened(video) {
        rest.forget()
        status.onOpened(video)
      },
      onBroken: () => statistics.broken(),
    }),
    held: createHeldPackets(),
    // Whoever waits for the source waits for its picture, paused or not.
    isShown: () => branch.isWatched || status.isLost || !status.isRunning,
    isWanted: (part) => !pause.isPaused && rest.isWorthDecoding(part),
    isResting: () => rest.isResting && !pause.isPaused,
    onPicture(picture) {
      // While paused nothing is detected, but a source that was lost is there again.
      if (pause.isPaused) status.onPicture(picture)
      branch.show(picture)
    },
    onArrived: () => statistics.arrived(),
    onDecoded: (hasPicture) => watch.onDecoded(hasPicture),
    onHeldBack: () => watch.onHeldBack(),
    onDropped,
    onSpared(decodingMs) {
      if (rest.isResting) statistics.spared(decodingMs)
      onDropped()
    },
    ready: () => pause.resumed(),
  })
}
