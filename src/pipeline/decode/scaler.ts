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
import { check } from '../../av/faults.ts'
import { type Box, type Size } from '../../core/detection.ts'
import { checkEvenRegion } from './even-region.ts'
import { type PixelLayout, pixelLayoutOf } from './pixel-layout.ts'

/** Where a scaled picture goes: packed pixels, `stride` bytes from one line to the next. */
export interface ScalerTarget {
  readonly bytes: Buffer
  readonly stride: number
  readonly size: Size
}

/** Scales decoded pictures and parts of them, of any format and size, into the caller's memory. */
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

/** From one size and format to another. */
interface Scaling {
  readonly context: SoftwareScaleContext
  /** Memory for a whole picture; its buffer is made once. */
  whole?: { readonly frame: Frame; readonly bytes: Buffer }
}

export function createScaler(): Scaler {
  const scalings = new Map<string, Scaling>()
  let plain: Frame | undefined

  function scalingFor(from: Size, fromFormat: AVPixelFormat, to: Size, toFormat: AVPixelFormat): Scaling {
    const key = [from.width, from.height, fromFormat, to.width, to.height, toFormat].join()
    const ready = scalings.get(key)
    if (ready) return ready
    const context = new SoftwareScaleContext()
    context.getContext(from.width, from.height, fromFormat, to.width, to.height, toFormat, flags)
    const [oldest] = scalings
    if (oldest && scalings.size >= MAX_CONTEXTS) {
      free(oldest[1])
      scalings.delete(oldest[0])
    }
    const scaling = { context }
    scalings.set(key, scaling)
    return scaling
  }

  /** A picture in a rare format (with a palette, of 16 bits a colour, …) as plain RGB of the same size. */
  function toPlain(frame: Frame): Frame {
    if (plain?.width !== frame.width || plain.height !== frame.height) {
      plain?.free()
      plain = undefined
      plain = allocateFrame(frame, AV_PIX_FMT_RGB24)
    }
    check(scalingFor(frame, formatOf(frame), frame, AV_PIX_FMT_RGB24).context.scaleFrameSync(plain, frame))
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
      const scaling = scalingFor(region, formatOf(source), target.size, AV_PIX_FMT_RGB24)
      if (isWhole(source, region)) scaleWhole(scaling, source, target, AV_PIX_FMT_RGB24)
      else scalePart(scaling, source, region, planes, target)
    },
    toGrey(frame, region, target) {
      checkEvenRegion(frame, region, 'first')
      checkTarget(target, 1)
      const [source, { planes, grey }] = readable(frame)
      const scaling = scalingFor(region, grey ?? formatOf(source), target.size, AV_PIX_FMT_GRAY8)
      if (isWhole(source, region)) scaleWhole(scaling, source, target, AV_PIX_FMT_GRAY8)
      else scalePart(scaling, source, region, grey === undefined ? planes : planes.slice(0, 1), target)
    },
    close() {
      for (const scaling of scalings.values()) free(scaling)
      scalings.clear()
      plain?.free()
      plain = undefined
    },
  }
}

function free({ context, whole }: Scaling): void {
  context.freeContext()
  whole?.frame.free()
}

function isWhole(frame: Frame, { width, height }: Box): boolean {
  return width === frame.width && height === frame.height
}

/**
 * By way of a frame of our own: one that is asked for its `data` makes buffers each time, and the garbage collector takes their size for
 * memory to be won back. With every picture of a stream it ran once a second, and took as long as decoding.
 */
function scaleWhole(
  scaling: Scaling,
  source: Frame,
  { bytes, stride, size }: ScalerTarget,
  format: AVPixelFormat,
): void {
  scaling.whole ??= readableFrame(size, format)
  const { frame, bytes: scaled } = scaling.whole
  check(scaling.context.scaleFrameSync(frame, source))
  const from = frame.linesize[0]!
  const length = size.width * (format === AV_PIX_FMT_RGB24 ? 3 : 1)
  for (let y = 0; y < size.height; y++) scaled.copy(bytes, y * stride, y * from, y * from + length)
}

function readableFrame(size: Size, format: AVPixelFormat): NonNullable<Scaling['whole']> {
  const frame = allocateFrame(size, format)
  return { frame, bytes: frame.data![0]! }
}

function scalePart(
  { context }: Scaling,
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
