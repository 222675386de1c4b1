import { type Frame } from 'node-av'
import { type Scaler, type ScalerTarget } from './scaler.ts'

/** A small picture of the brightness alone, no gaps between lines. Overwritten by the next one. */
export interface SmallGreyPicture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly stride: number
}

/** Makes the small grey pictures from which a camera's motion is estimated: at most `maxWidth` pixels wide, the aspect kept. */
export function createGreyScaler(scaler: Scaler, maxWidth = 320): (frame: Frame) => SmallGreyPicture {
  let target: (ScalerTarget & SmallGreyPicture) | undefined

  return (frame) => {
    const factor = Math.min(1, maxWidth / frame.width)
    const width = Math.round(frame.width * factor)
    const height = Math.max(1, Math.round(frame.height * factor))
    if (target?.width !== width || target.height !== height) {
      const bytes = Buffer.alloc(width * height)
      target = { bytes, data: bytes, stride: width, size: { width, height }, width, height }
    }
    scaler.toGrey(frame, { x: 0, y: 0, width: frame.width, height: frame.height }, target)
    return target
  }
}
