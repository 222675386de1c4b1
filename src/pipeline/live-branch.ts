import { type LatestTracks } from './latest-tracks.ts'
import { type PauseSwitch } from './pause.ts'
import { type Picture } from './picture.ts'
import { type Preview } from './preview.ts'
import { type Stage } from './stage.ts'
import { type VideoOut } from './video-out.ts'

export interface LiveBranchOptions {
  readonly preview: Pick<Preview, 'show'>
  readonly videoOut: Pick<VideoOut, 'isEmpty' | 'show'>
  readonly pause: Pick<PauseSwitch, 'isPaused'>
  readonly latestTracks: Pick<LatestTracks, 'at'>
}

/** Live pictures are shown as they come; detection, which is next, sees only some of them. */
export function showLive({ preview, videoOut, pause, latestTracks }: LiveBranchOptions): Stage<Picture, Picture> {
  return async function* (pictures) {
    for await (const picture of pictures) {
      preview.show(picture)
      // The first one also while paused, so that outputs have a picture to hold.
      if (!pause.isPaused || videoOut.isEmpty) videoOut.show(picture, latestTracks.at(picture.timeMs))
      yield picture
    }
  }
}
