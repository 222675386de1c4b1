import { decode } from './decode/decode-stage.ts'
import { type PipelineOrder } from './messages.ts'
import { type PauseSwitch } from './pause.ts'
import { type Picture } from './picture.ts'
import { type SourceStatus } from './source-status.ts'
import { fileSource } from './source/file-source.ts'
import { liveSource } from './source/live-source.ts'
import { type Statistics } from './statistics.ts'

export interface DecodedPicturesOptions {
  readonly order: Pick<PipelineOrder, 'input' | 'playback' | 'reconnection' | 'maxPicture'>
  readonly status: SourceStatus
  readonly statistics: Pick<Statistics, 'decoded' | 'broken'>
  readonly pause: Pick<PauseSwitch, 'isPaused'>
  readonly signal: AbortSignal
}

/** Source ▶ decode: every picture, counted; those of a file that an earlier worker has seen are left out. */
export async function* decodedPictures(options: DecodedPicturesOptions): AsyncGenerator<Picture, void, undefined> {
  const { order, status, statistics, pause, signal } = options
  const { input, playback, reconnection, maxPicture } = order
  const source =
    input.kind === 'file'
      ? fileSource(input.path, playback, signal)
      : liveSource(
          { input, reconnection },
          { signal, onLost: (sentence) => status.onLost(sentence), retried: () => status.retryRequested() },
        )
  const resumeAfter = input.kind === 'file' ? (playback.resumeAfterSeconds ?? -Infinity) : -Infinity
  for await (const picture of decode({
    limit: maxPicture,
    onOpened: (video) => status.onOpened(video),
    onBroken: () => statistics.broken(),
  })(source)) {
    statistics.decoded()
    if (picture.ptsSeconds <= resumeAfter) {
      picture.decoded.release()
      continue
    }
    // While paused nothing is detected, but a source that was lost is there again.
    if (pause.isPaused) status.onPicture(picture)
    yield picture
  }
}
