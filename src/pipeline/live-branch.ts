import { type LatestTracks } from './overlay-tracks.ts'
import { type PauseSwitch } from './pause.ts'
import { type Picture } from './picture.ts'
import { type Preview } from './preview.ts'
import { type VideoOut } from './video-out.ts'

/** Live pictures are shown as they come; detection sees only some of them. */
export interface LiveBranch {
  show(picture: Picture): void
  /** Somebody sees what is shown. */
  readonly isWatched: boolean
}

export interface LiveBranchOptions {
  readonly preview: Pick<Preview, 'show' | 'isWatched'>
  readonly videoOut: Pick<VideoOut, 'isEmpty' | 'isWatched' | 'show'>
  readonly pause: Pick<PauseSwitch, 'isPaused'>
  readonly latestTracks: Pick<LatestTracks, 'at'>
}

export function createLiveBranch({ preview, videoOut, pause, latestTracks }: LiveBranchOptions): LiveBranch {
  return {
    show(picture) {
      preview.show(picture)
      // The first one also while paused, so that outputs have a picture to hold.
      if (pause.isPaused && !videoOut.isEmpty) return
      videoOut.show(picture, videoOut.isWatched ? latestTracks.at(picture.timeMs) : [])
    },
    get isWatched() {
      return preview.isWatched || (videoOut.isWatched && !pause.isPaused)
    },
  }
}
