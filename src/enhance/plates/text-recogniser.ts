import { flattenQuad } from '../picture/flatten-quad.ts'
import { heightOf, type Quad, widthOf } from '../picture/quad.ts'
import { type RgbPicture } from '../picture/rgb-picture.ts'
import { withoutBands } from './country-band.ts'
import { createAlphabet, decodeCtc, type ReadLine } from './ctc.ts'
import { type OcrWeights } from './ocr-weights.ts'
import { openTextModel, type Scaling } from './text-model.ts'

/** Reads one line of text. */
export interface TextRecogniser {
  /** `lead`: where at the latest a plate in the quad begins, and how much before its end it ends, as a share of the quad's width. */
  read(picture: RgbPicture, quad: Quad, lead?: number): Promise<ReadLine>
  close(): Promise<void>
}

/** −1…1. */
const scaling: Scaling = { factors: [2 / 255, 2 / 255, 2 / 255], offsets: [-1, -1, -1] }
const LINE_HEIGHT = 48
const MIN_WIDTH = 320
/** Longer lines are squeezed; a plate never is. */
const MAX_WIDTH = 640

export async function openTextRecogniser({ recognition, characters }: OcrWeights): Promise<TextRecogniser> {
  const model = await openTextModel(recognition, scaling)
  const alphabet = createAlphabet(characters)
  return {
    async read(picture, quad, lead = 0) {
      const ratio = widthOf(quad) / Math.max(1, heightOf(quad))
      const width = Math.min(MAX_WIDTH, Math.max(LINE_HEIGHT / 2, Math.round(LINE_HEIGHT * ratio)))
      const line = flattenQuad(picture, quad, { width, height: LINE_HEIGHT })
      const canvas = Math.max(MIN_WIDTH, width)
      const read = decodeCtc(await model.run(line, canvas), alphabet, width / canvas)
      return withoutBands(read, line, lead)
    },
    close: () => model.close(),
  }
}
