import { AV_PIX_FMT_RGB24, type AVPixelFormat, type Frame, SoftwareScaleContext } from 'node-av'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { check } from '../../av/faults.ts'
import { type Box } from '../../core/detection.ts'
import { checkEvenRegion } from './even-region.ts'
import { copyColourTags, type ReadableFrame } from './frame-copy.ts'
import { pixelLayoutOf } from './pixel-layout.ts'

/** Takes parts out of decoded pictures, so that the whole needs not be held. */
export interface RegionCopier {
  /**
   * The region as a picture of its own, with the same meaning of colour; the caller frees it. The region has whole, even borders
   * (colour is stored for every other pixel) and lies in the picture.
   */
  copy(source: ReadableFrame, region: Box): Frame
  close(): void
}

export function createRegionCopier(): RegionCopier {
  /** For rare formats (with a palette, of 16 bits a colour, …), which become plain RGB first. */
  let context: SoftwareScaleContext | undefined

  function toPlain(frame: Frame): Frame {
    if (!context) {
      context = new SoftwareScaleContext()
      context.allocContext()
    }
    const plain = allocateFrame(frame, AV_PIX_FMT_RGB24)
    try {
      check(context.scaleFrameSync(plain, frame))
      return plain
    } catch (error) {
      plain.free()
      throw error
    }
  }

  return {
    copy(source, region) {
      const { frame } = source
      checkEvenRegion(frame, region, 'all')
      if (pixelLayoutOf(frame.format as AVPixelFormat)) return copyPlanes(source, region)
      const plain = toPlain(frame)
      try {
        return copyPlanes({ frame: plain, planes: plain.data! }, region)
      } finally {
        plain.free()
      }
    },
    close() {
      context?.freeContext()
      context = undefined
    },
  }
}

function copyPlanes({ frame: source, planes: from }: ReadableFrame, { x, y, width, height }: Box): Frame {
  const format = source.format as AVPixelFormat
  const target = allocateFrame({ width, height }, format)
  copyColourTags(source, target)
  const to = target.data!
  const [fromStrides, toStrides] = [source.linesize, target.linesize]
  for (const [plane, { step, shiftX, shiftY }] of pixelLayoutOf(format)!.planes.entries()) {
    const rowBytes = (width >> shiftX) * step
    let start = (y >> shiftY) * fromStrides[plane]! + (x >> shiftX) * step
    for (let row = 0; row < height >> shiftY; row++, start += fromStrides[plane]!)
      from[plane]!.copy(to[plane]!, row * toStrides[plane]!, start, start + rowBytes)
  }
  return target
}
