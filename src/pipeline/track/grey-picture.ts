/** A luma picture, one byte a pixel; `stride` bytes lie between the starts of two rows. */
export interface GreyPicture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly stride: number
}

/**
 * The picture and its halves, the largest first. Pixel (x, y) of a level lies at (2x + ½, 2y + ½) of the one before.
 * Goes on from those that are there.
 */
export function buildPyramid(known: readonly GreyPicture[], levels: number): GreyPicture[] {
  const pyramid = [...known]
  while (pyramid.length < levels) pyramid.push(halfOf(pyramid.at(-1)!))
  return pyramid
}

/** Packed, so that the caller may reuse its buffer. */
export function copyOf({ data, width, height, stride }: GreyPicture): GreyPicture {
  const copy = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) copy.set(data.subarray(y * stride, y * stride + width), y * width)
  return { data: copy, width, height, stride: width }
}

function halfOf({ data, width, height, stride }: GreyPicture): GreyPicture {
  const half = { width: width >> 1, height: height >> 1 }
  const out = new Uint8Array(half.width * half.height)
  for (let y = 0, to = 0; y < half.height; y++) {
    for (let x = 0, from = 2 * y * stride; x < half.width; x++, from += 2, to++) {
      out[to] = (data[from]! + data[from + 1]! + data[from + stride]! + data[from + stride + 1]! + 2) >> 2
    }
  }
  return { data: out, ...half, stride: half.width }
}
