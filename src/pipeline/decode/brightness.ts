import { avGetPixFmtName, type AVPixelFormat } from 'node-av'
import { type ReadableFrame } from './frame-copy.ts'
import { pixelLayoutOf } from './pixel-layout.ts'

/** Where the brightness of a picture's pixels lies in memory. */
export interface BrightnessPlane {
  readonly bytes: Uint8Array
  /** Bytes from one line to the next. */
  readonly stride: number
  /** Bytes from one pixel to the next. */
  readonly step: number
  /** Bits beyond the eighth, where two bytes (the lower first) hold a value; 0 where one byte does. */
  readonly extraBits: number
  readonly width: number
  readonly height: number
}

/** Undefined for rare formats. Of RGB the green byte stands for it. Valid as long as the frame is. */
export function brightnessOf({ frame, planes }: ReadableFrame): BrightnessPlane | undefined {
  const layout = pixelLayoutOf(frame.format as AVPixelFormat)
  if (!layout) return undefined
  const [data] = planes
  const offset = layout.grey === undefined ? 1 : 0
  return {
    bytes: new Uint8Array(data!.buffer, data!.byteOffset + offset, data!.length - offset),
    stride: frame.linesize[0]!,
    step: layout.planes[0]!.step,
    extraBits: layout.grey === undefined ? 0 : bitsOf(layout.grey) - 8,
    width: frame.width,
    height: frame.height,
  }
}

function bitsOf(grey: AVPixelFormat): number {
  return Number(/^gray(\d+)/.exec(avGetPixFmtName(grey) ?? '')?.[1] ?? 8)
}
