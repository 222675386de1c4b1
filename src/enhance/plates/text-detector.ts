import { type Box, type Size } from '../../core/detection.ts'
import { mapQuad } from '../picture/quad.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { scalePicture } from '../picture/scale-picture.ts'
import { type TextBox, textBoxes } from './text-boxes.ts'
import { openTextModel, type Scaling } from './text-model.ts'

/** Finds where text is. */
export interface TextDetector {
  /** `longSide`: to how many pixels the region's longer side is scaled before the model looks. Boxes are in the picture's pixels. */
  find(picture: RgbPicture, region: Box, longSide: number): Promise<TextBox[]>
  close(): Promise<void>
}

const deviations = [0.229, 0.224, 0.225] as const
const means = [0.485, 0.456, 0.406] as const

/** As the model was trained: in this order of channels. */
const scaling: Scaling = {
  factors: [1 / 255 / deviations[0], 1 / 255 / deviations[1], 1 / 255 / deviations[2]],
  offsets: [-means[0] / deviations[0], -means[1] / deviations[1], -means[2] / deviations[2]],
}

/** The model halves its input five times. */
const SIDE_MULTIPLE = 32

export async function openTextDetector(weights: Uint8Array): Promise<TextDetector> {
  const model = await openTextModel(weights, scaling)
  return {
    async find(picture, region, longSide) {
      const size = canvasFor(region, longSide)
      const { values, shape } = await model.run(scalePicture(picture, region, size))
      const [height, width] = [shape.at(-2)!, shape.at(-1)!]
      return textBoxes({ width, height, values }).map(({ quad, score }) => ({
        score,
        quad: mapQuad(quad, ({ x, y }) => ({
          x: region.x + (x * region.width) / width,
          y: region.y + (y * region.height) / height,
        })),
      }))
    },
    close: () => model.close(),
  }
}

function canvasFor({ width, height }: Size, longSide: number): Size {
  const scale = longSide / Math.max(width, height)
  const side = (length: number) => Math.max(SIDE_MULTIPLE, Math.round((length * scale) / SIDE_MULTIPLE) * SIDE_MULTIPLE)
  return { width: side(width), height: side(height) }
}
