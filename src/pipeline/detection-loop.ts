import { type SceneTrack } from '../core/scene.ts'
import { type DetectionStages } from './detection-stages.ts'
import { type FromWorker } from './messages.ts'
import { type Picture } from './picture.ts'
import { PipelineError } from './pipeline-error.ts'
import { type ScenePictures } from './scene-pictures.ts'
import { type SourceStatus } from './source-status.ts'
import { type Statistics } from './statistics.ts'
import { type TrackPictures } from './track-pictures.ts'

export interface DetectionLoopOptions {
  readonly stages: DetectionStages
  readonly status: Pick<SourceStatus, 'isRunning' | 'onPicture'>
  readonly statistics: Pick<Statistics, 'tiled' | 'inferred' | 'processed'>
  /** Undefined when no pictures of tracks are kept. */
  readonly trackPictures: Pick<TrackPictures, 'see'> | undefined
  readonly scenePictures: Pick<ScenePictures, 'see'>
  /** The picture is held no longer than the call. */
  readonly onTracks: (picture: Picture, tracks: readonly SceneTrack[]) => void
  readonly send: (message: FromWorker) => void
  readonly signal: AbortSignal
}

/** Pulls pictures through the detection stages and sends a scene of each, until they end or the signal is aborted. */
export async function runDetection(pictures: AsyncIterable<Picture>, options: DetectionLoopOptions): Promise<void> {
  const { stages, status, statistics, trackPictures, scenePictures, onTracks, send, signal } = options
  for await (const picture of stages.run(pictures)) {
    const { tracks, camera, takenAtMs, detectedAtMs, arrivedMs, ptsSeconds, rtpTimestamp } = picture
    const { width, height } = picture.decoded
    onTracks(picture, tracks)
    trackPictures?.see(picture, tracks, picture.known)
    scenePictures.see(picture, tracks)
    picture.decoded.release()
    if (signal.aborted) return
    const tiling = stages.tiling()
    if (tiling) statistics.tiled(tiling)
    const inferenceMs = stages.takeInferenceMs()
    if (inferenceMs > 0) statistics.inferred(inferenceMs)
    status.onPicture(picture)
    const frame = { width, height, ptsSeconds, rtpTimestamp }
    send({ type: 'scene', scene: { takenAtMs, detectedAtMs, frame, tracks, ...(camera && { camera }) } })
    statistics.processed(performance.now() - arrivedMs)
  }
  if (!status.isRunning && !signal.aborted) throw new PipelineError('source-unreadable', 'No picture could be decoded.')
}
