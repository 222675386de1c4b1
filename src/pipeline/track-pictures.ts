import { type SceneTrack } from '../core/scene.ts'
import { brightnessOf } from './decode/brightness.ts'
import { createFrameCopy, type ReadableFrame } from './decode/frame-copy.ts'
import { createRegionCopier } from './decode/region-copy.ts'
import { createJpegEncoder } from './encode/jpeg-encoder.ts'
import { createPictureScaler } from './encode/picture-scaler.ts'
import { type FromWorker } from './messages.ts'
import { type Picture } from './picture.ts'
import { createPictureKeeper, type SeenFrame } from './pictures/picture-keeper.ts'
import { sharpnessOf } from './pictures/sharpness.ts'

/** The pictures of tracks, from decoded frames to JPEGs that leave the worker. */
export interface TrackPictures {
  /** The picture is held no longer than the call. `known` are all tracks that may be seen again. */
  see(picture: Picture, tracks: readonly SceneTrack[], known: readonly number[]): void
  /** What was sent is gone: the next pictures are the best again. */
  forget(): void
  /** Sends what is left. */
  close(): Promise<void>
}

const SEND_EVERY_MS = 1_000
/** The keeper bounds what is held by its bytes; this is beyond what they allow. */
const MAX_HELD = 100_000
const MAX_IDLE = 4
/** What sharpness is taken for where it cannot be measured. */
const DEFAULT_SHARPNESS = 0.5

export function createTrackPictures(send: (message: FromWorker) => void): TrackPictures {
  const frames = createFrameCopy()
  const copier = createRegionCopier()
  const scaler = createPictureScaler(MAX_HELD, MAX_IDLE)
  const encoder = createJpegEncoder()
  const keeper = createPictureKeeper((pictures) => send({ type: 'track-pictures', pictures }))
  const sending = setInterval(() => void keeper.send(), SEND_EVERY_MS)

  function toSeenFrame({ decoded, takenAtMs, timeMs }: Picture): SeenFrame {
    const { frame, width, height, isDamaged } = decoded
    let copy: ReadableFrame | undefined
    const readable = () => (copy ??= frames.take(frame))
    let brightness: ReturnType<typeof brightnessOf> | null = null
    return {
      width,
      height,
      takenAtMs,
      timeMs,
      isDamaged,
      sharpnessOf(box) {
        if (brightness === null) brightness = brightnessOf(readable())
        return brightness ? sharpnessOf(brightness, box) : DEFAULT_SHARPNESS
      },
      cut(region, size) {
        const part = copier.copy(readable(), region)
        try {
          const cutOut = scaler.scale(part, size)
          return {
            async toJpeg() {
              const jpeg = await encoder.encode(cutOut)
              if (!jpeg) throw new Error('Pictures of tracks are encoded one after the other.')
              return jpeg
            },
            release: () => cutOut.release(),
          }
        } finally {
          part.free()
        }
      },
    }
  }

  return {
    see: (picture, tracks, known) => keeper.see(toSeenFrame(picture), tracks, known),
    forget: () => keeper.forget(),
    async close() {
      clearInterval(sending)
      await keeper.send()
      await keeper.close()
      await encoder.close()
      scaler.close()
      copier.close()
      frames.close()
    },
  }
}
