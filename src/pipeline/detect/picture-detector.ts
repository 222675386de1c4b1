import { type Frame } from 'node-av'
import { type Box, type Detection } from '../../core/detection.ts'
import { createCanvas, type RgbScaler } from './canvas.ts'
import { type Detector } from './detector.ts'
import { letterboxOf } from './letterbox.ts'
import { createStillTiles } from './still-tiles.ts'
import { mergeRegions, type RegionDetections } from './tile-merge.ts'
import { type TilePlanner } from './tile-planner.ts'
import { type TileGrid, tileRegions } from './tiles.ts'

export interface PictureDetectorOptions {
  readonly detector: Pick<Detector, 'inputSize' | 'padding' | 'fit' | 'maxCovered' | 'detect'>
  readonly scaler: RgbScaler
  /** The same for every picture, or as a plan says. Tiles that show nothing new are not looked at again. */
  readonly tiles: TileGrid | Pick<TilePlanner, 'lookAt'>
}

export interface PictureDetector {
  /**
   * Finds objects in a decoded picture, which must be held until the promise settles. A second picture may be given while
   * the first is under way: it is drawn at once, so that the model goes on without a pause. A third one is refused.
   * A tile that is not worth a look shows what it showed before.
   */
  detect(frame: Frame, takenAtMs?: number, isWorthLook?: (part: Box) => boolean): Promise<Detection[]>
}

const MAX_PICTURES = 2

/** Scales pictures for a model, tile by tile if asked to: the next canvas is drawn while the model looks at the last one. */
export function createPictureDetector({ detector, scaler, tiles }: PictureDetectorOptions): PictureDetector {
  const newSlot = () => ({
    canvas: createCanvas(scaler, detector.inputSize, detector.padding),
    free: Promise.resolve(),
  })
  let slots = [newSlot(), newSlot()] as const
  /** Settled when the model has seen all that was drawn so far. */
  let modelFree = Promise.resolve()
  /** Settled when all regions of the picture before are drawn. */
  let drawn = Promise.resolve()
  let pictures = 0
  const stillTiles = createStillTiles<RegionDetections>()

  const lookAt = (frame: Frame, takenAtMs: number) =>
    'lookAt' in tiles ? tiles.lookAt(frame, takenAtMs) : { regions: tileRegions(frame, tiles), shrink: 1 }

  async function drawAll(
    frame: Frame,
    takenAtMs: number,
    isWorthLook: (part: Box) => boolean,
  ): Promise<Promise<RegionDetections>[]> {
    const looks: Promise<RegionDetections>[] = []
    const { regions, shrink } = lookAt(frame, takenAtMs)
    const { width, height } = detector.inputSize
    const room = { width: Math.round(width * shrink), height: Math.round(height * shrink) }
    for (const [index, region] of regions.entries()) {
      const isTile = index > 0
      const known = isTile && !isWorthLook(region) ? stillTiles.lastOf(region) : undefined
      if (known) {
        looks.push(known)
        continue
      }
      const [slot, other] = slots
      slots = [other, slot]
      await slot.free
      const letterbox = letterboxOf(region, room, detector.fit)
      const { bytes } = slot.canvas
      slot.canvas.draw(frame, letterbox)
      const look = () => {
        const looking = modelFree.then(async () => ({ region, detections: await detector.detect(bytes, letterbox) }))
        modelFree = slot.free = settled(looking)
        return looking
      }
      const shown = bytes.subarray(0, 3 * width * letterbox.scaled.height)
      looks.push(isTile ? stillTiles.lookAt(region, shown, look) : look())
    }
    return looks
  }

  return {
    async detect(frame, takenAtMs = 0, isWorthLook = () => true) {
      if (pictures >= MAX_PICTURES) throw new Error(`${pictures} pictures are waiting already; wait for one of them.`)
      pictures++
      try {
        const drawing = drawn.then(() => drawAll(frame, takenAtMs, isWorthLook))
        drawn = settled(drawing)
        const regions = await Promise.all(await drawing)
        return regions.length === 1 ? [...regions[0]!.detections] : mergeRegions(frame, regions, detector.maxCovered)
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
