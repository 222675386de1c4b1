import { avGetPixFmtFromName, avGetPixFmtName, type AVPixelFormat } from 'node-av'

/** How the pixels of a format lie in its planes. */
export interface PixelLayout {
  readonly planes: readonly PlaneLayout[]
  /** The format of the first plane taken alone, where that is the brightness. */
  readonly grey: AVPixelFormat | undefined
}

interface PlaneLayout {
  /** Bytes from one stored column to the next. */
  readonly step: number
  /** A column (row) is stored for every 2^n pixels. */
  readonly shiftX: number
  readonly shiftY: number
}

const known = new Map<AVPixelFormat, PixelLayout | undefined>()

/** The layout of what cameras and picture files usually hold; undefined for a format that must be converted first. */
export function pixelLayoutOf(format: AVPixelFormat): PixelLayout | undefined {
  if (!known.has(format)) known.set(format, layoutOf(avGetPixFmtName(format) ?? ''))
  return known.get(format)
}

function layoutOf(name: string): PixelLayout | undefined {
  const [, sampling, depth = '8'] = /^yuvj?(420|422|444)p(?:(10|12)le)?$/.exec(name) ?? []
  if (sampling) {
    const step = depth === '8' ? 1 : 2
    const chroma = { step, shiftX: sampling === '444' ? 0 : 1, shiftY: sampling === '420' ? 1 : 0 }
    return { planes: [{ step, shiftX: 0, shiftY: 0 }, chroma, chroma], grey: greyFormat(depth) }
  }
  // Two chroma values side by side; p010 holds its ten bits at the upper end of sixteen.
  if (name === 'nv12' || name === 'p010le') {
    const step = name === 'nv12' ? 1 : 2
    const chroma = { step: 2 * step, shiftX: 1, shiftY: 1 }
    return { planes: [{ step, shiftX: 0, shiftY: 0 }, chroma], grey: greyFormat(step === 1 ? '8' : '16') }
  }
  const packed = { gray: 1, rgb24: 3, bgr24: 3, rgba: 4, bgra: 4, rgb0: 4, bgr0: 4 }
  const step = (packed as Record<string, number | undefined>)[name]
  if (!step) return undefined
  return { planes: [{ step, shiftX: 0, shiftY: 0 }], grey: name === 'gray' ? greyFormat('8') : undefined }
}

function greyFormat(depth: string): AVPixelFormat {
  return avGetPixFmtFromName(depth === '8' ? 'gray' : `gray${depth}le`)
}
