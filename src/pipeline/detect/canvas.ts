import { type Frame } from 'node-av'
import { type Box, type Size } from '../../core/detection.ts'
import { type Letterbox } from './letterbox.ts'

/** What a canvas needs of a scaler. */
export interface RgbScaler {
  toRgb(
    frame: Frame,
    region: Box,
    target: { readonly bytes: Buffer; readonly stride: number; readonly size: Size },
  ): void
}

/** The picture that a model looks at: RGB, 3 bytes a pixel, no gaps between lines. */
export interface Canvas {
  readonly bytes: Buffer
  /** Puts a region of a decoded picture into the top left corner; the rest is padding. */
  draw(frame: Frame, letterbox: Letterbox): void
}

export function createCanvas(scaler: RgbScaler, { width, height }: Size, padding: number): Canvas {
  const stride = 3 * width
  // Some scaling routines finish their last few pixels beyond the end of the line.
  const slack = 64
  const bytes = Buffer.alloc(height * stride + slack, padding).subarray(0, height * stride)
  let covered: Size = { width: 0, height: 0 }

  return {
    bytes,
    draw(frame, { region, scaled }) {
      if (scaled.width > width || scaled.height > height) {
        throw new Error(`A picture of ${scaled.width}×${scaled.height} does not fit a canvas of ${width}×${height}.`)
      }
      if (scaled.width < covered.width || scaled.height < covered.height) bytes.fill(padding)
      scaler.toRgb(frame, region, { bytes, stride, size: scaled })
      covered = scaled
    },
  }
}
