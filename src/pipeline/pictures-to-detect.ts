import { decodedPictures, type DecodedPicturesOptions } from './decoded-pictures.ts'
import { newest } from './hand-over.ts'
import { type LiveBranchOptions, showLive } from './live-branch.ts'
import { type PipelineOrder } from './messages.ts'
import { keepPace, type PauseSwitch } from './pause.ts'
import { type Picture } from './picture.ts'
import { type Statistics } from './statistics.ts'
import { takeTurn, type Turns } from './turns.ts'

export interface PicturesToDetectOptions extends DecodedPicturesOptions, LiveBranchOptions {
  readonly order: DecodedPicturesOptions['order'] & Pick<PipelineOrder, 'input'>
  readonly statistics: DecodedPicturesOptions['statistics'] & Pick<Statistics, 'dropped'>
  readonly pause: PauseSwitch
  readonly turns: Turns
}

export interface PicturesToDetect {
  readonly pictures: AsyncIterable<Picture>
  /** Waits until the model may be used; answers the picture to look at, which of a live stream is the newest by then. */
  readonly beginLook: (picture: Picture) => Promise<Picture>
}

/** What detection is to look at. A live source is drained from now on, whether or not anybody asks. */
export function picturesToDetect(options: PicturesToDetectOptions): PicturesToDetect {
  const { order, statistics, pause, turns, signal } = options
  const decoded = decodedPictures(options)
  if (order.input.kind === 'file')
    return {
      pictures: keepPace(order.playback.pace, pause, signal)(decoded),
      // It is the pace that keeps a pause: what it has let through is looked at.
      async beginLook(picture) {
        await turns.take(signal)
        return picture
      },
    }

  const onDropped = () => pause.isPaused || statistics.dropped()
  const pictures = newest(showLive(options)(decoded), onDropped, () => pause.resumed())
  return {
    pictures,
    async beginLook(picture) {
      await takeTurn(turns, pause, signal)
      return pictures.exchange(picture)
    },
  }
}
