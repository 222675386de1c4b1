import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_RGB24,
  type AVPixelFormat,
  type Frame,
  SoftwareScaleContext,
  SWS_ACCURATE_RND,
  SWS_BILINEAR,
  type SwsFlags,
} from 'node-av'
import { allocateFrame } from '../../av/allocate-frame.ts'
import { check } from '../../av/check.ts'
import { type Box, type Size } from '../../core/detection.ts'
import { checkEvenRegion } from './even-region.ts'
import { type PixelLayout, pixelLayoutOf } from './pixel-layout.ts'

/** Where a scaled picture goes: packed pixels, `stride` bytes from one line to the next. */
export interface ScalerTarget {
  readonly bytes: Buffer
  readonly stride: number
  readonly size: Size
}

/** Scales parts of decoded pictures, of any format and size, straight into the caller's memory. */
export interface Scaler {
  /** 3 bytes a pixel. The region has whole, even borders (colour is stored for every other pixel) and lies in the picture. */
  toRgb(frame: Frame, region: Box, target: ScalerTarget): void
  /** Brightness alone, 1 byte a pixel: a fifth of the time. */
  toGrey(frame: Frame, region: Box, target: ScalerTarget): void
  close(): void
}

/** Contexts that are kept ready: more than the regions of the finest tile grid need. Beyond it the oldest goes. */
const MAX_CONTEXTS = 32

/**
 * SWS_BILINEAR averages all pixels that become one. SWS_ACCURATE_RND changes nothing in that (we compared), but it keeps the
 * library from its shortcut for pictures that need no scaling, which writes beyond the end of lines.
 */
const flags = (SWS_BILINEAR | SWS_ACCURATE_RND) as SwsFlags

export function createScaler(): Scaler {
  const contexts = new Map<string, SoftwareScaleContext>()
  let plain: Frame | undefined

  function contextFor(from: Size, fromFormat: AVPixelFormat, to: Size, toFormat: AVPixelFormat): SoftwareScaleContext {
    const key = [from.width, from.height, fromFormat, to.width, to.height, toFormat].join()
    const ready = contexts.get(key)
    if (ready) return ready
    const context = new SoftwareScaleContext()
    context.getContext(from.width, from.height, fromFormat, to.width, to.height, toFormat, flags)
    const [oldest] = contexts
    if (oldest && contexts.size >= MAX_CONTEXTS) {
      oldest[1].freeContext()
      contexts.delete(oldest[0])
    }
    contexts.set(key, context)
    return context
  }

  /** A picture in a rare format (with a palette, of 16 bits a colour, …) as plain RGB of the same size. */
  function toPlain(frame: Frame): Frame {
    if (plain?.width !== frame.width || plain.height !== frame.height) {
      plain?.free()
      plain = undefined
      plain = allocateFrame(frame, AV_PIX_FMT_RGB24)
    }
    check(contextFor(frame, formatOf(frame), frame, AV_PIX_FMT_RGB24).scaleFrameSync(plain, frame))
    return plain
  }

  /** The picture itself or its plain copy, and how its pixels lie. */
  function readable(frame: Frame): [Frame, PixelLayout] {
    const layout = pixelLayoutOf(formatOf(frame))
    return layout ? [frame, layout] : [toPlain(frame), pixelLayoutOf(AV_PIX_FMT_RGB24)!]
  }

  return {
    toRgb(frame, region, target) {
      checkEvenRegion(frame, region, 'first')
      checkTarget(target, 3)
      const [source, { planes }] = readable(frame)
      const context = contextFor(region, formatOf(source), target.size, AV_PIX_FMT_RGB24)
      scale(context, source, region, planes, target)
    },
    toGrey(frame, region, target) {
      checkEvenRegion(frame, region, 'first')
      checkTarget(target, 1)
      const [source, { planes, grey }] = readable(frame)
      const context = contextFor(region, grey ?? formatOf(source), target.size, AV_PIX_FMT_GRAY8)
      scale(context, source, region, grey === undefined ? planes : planes.slice(0, 1), target)
    },
    close() {
      for (const context of contexts.values()) context.freeContext()
      contexts.clear()
      plain?.free()
      plain = undefined
    },
  }
}

function scale(
  context: SoftwareScaleContext,
  frame: Frame,
  { x, y, height }: Box,
  planes: PixelLayout['planes'],
  { bytes, stride }: ScalerTarget,
): void {
  const strides = frame.linesize.slice(0, planes.length)
  // Asked for once: it makes buffers each time.
  const { data } = frame
  const parts = planes.map(({ step, shiftX, shiftY }, index) => {
    return data![index]!.subarray((y >> shiftY) * strides[index]! + (x >> shiftX) * step)
  })
  check(context.scaleSync(parts, strides, 0, height, [bytes], [stride]))
}

/** The library below writes at any address that it is given, so nothing wrong may get there. */
function checkTarget({ bytes, stride, size }: ScalerTarget, pixelBytes: number): void {
  const isWhole = [size.width, size.height].every((value) => Number.isInteger(value) && value > 0)
  const needed = (size.height - 1) * stride + size.width * pixelBytes
  if (!isWhole || stride < size.width * pixelBytes || bytes.length < needed) {
    throw new Error(`A picture of ${size.width}×${size.height} needs ${needed} bytes, but there are ${bytes.length}.`)
  }
}

function formatOf(frame: Frame): AVPixelFormat {
  return frame.format as AVPixelFormat
}
