import { filePictures, type FilePicturesOptions } from './file-pictures.ts'
import { createLiveBranch, type LiveBranchOptions } from './live-branch.ts'
import { livePictures, type LivePicturesOptions } from './live-pictures.ts'
import { type PipelineOrder } from './messages.ts'
import { keepPace, type PauseSwitch } from './pause.ts'
import { type Picture } from './picture.ts'
import { takeTurn, type Turns } from './turns.ts'

export interface PicturesToDetectOptions
  extends FilePicturesOptions, Omit<LivePicturesOptions, 'branch'>, LiveBranchOptions {
  readonly order: FilePicturesOptions['order'] & LivePicturesOptions['order'] & Pick<PipelineOrder, 'input'>
  readonly status: LivePicturesOptions['status']
  readonly statistics: LivePicturesOptions['statistics']
  readonly pause: PauseSwitch
  readonly turns: Turns
}

export interface PicturesToDetect {
  readonly pictures: AsyncIterable<Picture>
  /** Waits until the model may be used; answers the picture to look at, which of a live stream is the newest by then. */
  readonly beginLook: (picture: Picture) => Promise<Picture>
}

/** What detection is to look at. */
export function picturesToDetect(options: PicturesToDetectOptions): PicturesToDetect {
  const { order, pause, turns, signal } = options
  const { input, playback } = order
  if (input.kind === 'file')
    return {
      pictures: keepPace(playback.pace, pause, signal)(filePictures(input.path, options)),
      // It is the pace that keeps a pause: what it has let through is looked at.
      async beginLook(picture) {
        await turns.take(signal)
        return picture
      },
    }

  const pictures = livePictures(input, { ...options, branch: createLiveBranch(options) })
  return {
    pictures,
    beginLook: (picture) => pictures.exchange(picture, () => takeTurn(turns, pause, signal)),
  }
}
