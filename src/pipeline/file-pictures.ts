import { decode } from './decode/decode-stage.ts'
import { type PipelineOrder } from './messages.ts'
import { type Picture } from './picture.ts'
import { type SourceStatus } from './source-status.ts'
import { fileSource } from './source/file-source.ts'
import { type Statistics } from './statistics.ts'

export interface FilePicturesOptions {
  readonly order: Pick<PipelineOrder, 'playback' | 'maxPicture'>
  readonly status: Pick<SourceStatus, 'onOpened'>
  readonly statistics: Pick<Statistics, 'arrived' | 'broken'>
  readonly signal: AbortSignal
}

/** Source ▶ decode: every picture of a file; those that an earlier worker has seen are left out. */
export async function* filePictures(
  path: string,
  { order: { playback, maxPicture }, status, statistics, signal }: FilePicturesOptions,
): AsyncGenerator<Picture, void, undefined> {
  const resumeAfter = playback.resumeAfterSeconds ?? -Infinity
  for await (const picture of decode({
    limit: maxPicture,
    onOpened: (video) => status.onOpened(video),
    onBroken: () => statistics.broken(),
  })(fileSource(path, playback, signal))) {
    statistics.arrived()
    if (picture.ptsSeconds <= resumeAfter) picture.decoded.release()
    else yield picture
  }
}
