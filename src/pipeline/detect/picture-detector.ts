import { type Frame } from 'node-av'
import { type Detection } from '../../core/detection.ts'
import { createCanvas, type RgbScaler } from './canvas.ts'
import { type Detector } from './detector.ts'
import { letterboxOf } from './letterbox.ts'
import { mergeRegions, type RegionDetections } from './tile-merge.ts'
import { type TileGrid, tileRegions } from './tiles.ts'

export interface PictureDetectorOptions {
  readonly detector: Pick<Detector, 'inputSize' | 'padding' | 'fit' | 'detect'>
  readonly scaler: RgbScaler
  readonly grid: TileGrid
}

export interface PictureDetector {
  /**
   * Finds objects in a decoded picture, which must be held until the promise settles. A second picture may be given while
   * the first is under way: it is drawn at once, so that the model goes on without a pause. A third one is refused.
   */
  detect(frame: Frame): Promise<Detection[]>
}

const mostPictures = 2

/** Scales pictures for a model, tile by tile if asked to: the next canvas is drawn while the model looks at the last one. */
export function createPictureDetector({ detector, scaler, grid }: PictureDetectorOptions): PictureDetector {
  const newSlot = () => ({
    canvas: createCanvas(scaler, detector.inputSize, detector.padding),
    isFree: Promise.resolve(),
  })
  let slots = [newSlot(), newSlot()] as const
  /** Settled when the model has seen all that was drawn so far. */
  let modelIsFree = Promise.resolve()
  /** Settled when all regions of the picture before are drawn. */
  let isDrawn = Promise.resolve()
  let pictures = 0

  async function drawAll(frame: Frame): Promise<Promise<RegionDetections>[]> {
    const looks: Promise<RegionDetections>[] = []
    for (const region of tileRegions(frame, grid)) {
      const [slot, other] = slots
      slots = [other, slot]
      await slot.isFree
      const letterbox = letterboxOf(region, detector.inputSize, detector.fit)
      slot.canvas.draw(frame, letterbox)
      const look = modelIsFree.then(async () => {
        return { region, detections: await detector.detect(slot.canvas.bytes, letterbox) }
      })
      modelIsFree = slot.isFree = settled(look)
      looks.push(look)
    }
    return looks
  }

  return {
    async detect(frame) {
      if (pictures >= mostPictures) throw new Error(`${pictures} pictures are waiting already; wait for one of them.`)
      pictures++
      try {
        const drawing = isDrawn.then(() => drawAll(frame))
        isDrawn = settled(drawing)
        const regions = await Promise.all(await drawing)
        return regions.length === 1 ? [...regions[0]!.detections] : mergeRegions(frame, regions)
      } finally {
        pictures--
      }
    },
  }
}

function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(
    () => undefined,
    () => undefined,
  )
}
