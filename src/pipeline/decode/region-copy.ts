import { AV_PIX_FMT_RGB24, type AVPixelFormat, FFmpegError, Frame, SoftwareScaleContext } from 'node-av'
import { type Box } from '../../core/detection.ts'
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
    const plain = emptyFrame(frame.width, frame.height, AV_PIX_FMT_RGB24)
    const result = context.scaleFrameSync(plain, frame)
    if (result >= 0) return plain
    plain.free()
    throw new FFmpegError(result)
  }

  return {
    copy(source, region) {
      const { frame } = source
      checkRegion(frame, region)
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
  const target = emptyFrame(width, height, format)
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

function checkRegion(frame: Frame, { x, y, width, height }: Box): void {
  const isEven = [x, y, width, height].every((value) => value >= 0 && value % 2 === 0)
  if (isEven && width > 0 && height > 0 && x + width <= frame.width && y + height <= frame.height) return
  const wanted = `${width}×${height} at (${x}, ${y})`
  throw new Error(`The region ${wanted} has no even borders inside a picture of ${frame.width}×${frame.height}.`)
}

function emptyFrame(width: number, height: number, format: AVPixelFormat): Frame {
  const frame = new Frame()
  frame.alloc()
  Object.assign(frame, { width, height, format } satisfies Partial<Frame>)
  const result = frame.getBuffer()
  if (result >= 0) return frame
  frame.free()
  throw new FFmpegError(result)
}
