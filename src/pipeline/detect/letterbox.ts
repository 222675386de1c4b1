import { type Box, type Size } from '../../core/detection.ts'

/** Whether a picture keeps its aspect on a model's canvas, or fills the canvas. */
export type Fit = 'letterbox' | 'stretch'

/**
 * How a region of the input picture lies on a model's canvas: scaled with its aspect kept, in the top left corner, and
 * the rest of the canvas filled with the model's padding value; or stretched over all of it.
 *
 * Scale with libswscale's SWS_BILINEAR, from the decoder's format to RGB24 in one step: our figures were measured so.
 * SWS_ACCURATE_RND gives the same pixels; SWS_FULL_CHR_H_INT others, with which the models agree less with our figures;
 * SWS_FAST_BILINEAR skips pixels, which lost 7 % of the objects in our clip.
 */
export interface Letterbox {
  /** In input pixels. The whole picture, or one tile of it. */
  readonly region: Box
  /** In canvas pixels: the part of the canvas that the region covers. */
  readonly scaled: Size
}

export function letterboxOf(region: Box, canvas: Size, fit: Fit = 'letterbox'): Letterbox {
  if (!(region.width > 0 && region.height > 0)) {
    throw new Error(`A region of ${region.width}×${region.height} pixels cannot be scaled; give one that has an area.`)
  }
  if (fit === 'stretch') return { region, scaled: canvas }
  const scale = Math.min(canvas.width / region.width, canvas.height / region.height)
  return {
    region,
    scaled: { width: scaledLength(region.width, scale), height: scaledLength(region.height, scale) },
  }
}

export function wholePicture({ width, height }: Size): Box {
  return { x: 0, y: 0, width, height }
}

/** Canvas pixels, from the corners of a box, to the box in input pixels that lies inside the region. */
export function toInputBox(
  { region, scaled }: Letterbox,
  left: number,
  top: number,
  right: number,
  bottom: number,
): Box {
  // Rounding to whole canvas pixels may have stretched the two axes differently.
  const horizontal = region.width / scaled.width
  const vertical = region.height / scaled.height
  const from = { x: clamp(left, scaled.width) * horizontal, y: clamp(top, scaled.height) * vertical }
  const to = { x: clamp(right, scaled.width) * horizontal, y: clamp(bottom, scaled.height) * vertical }
  return { x: region.x + from.x, y: region.y + from.y, width: to.x - from.x, height: to.y - from.y }
}

function scaledLength(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale))
}

function clamp(value: number, highest: number): number {
  return Math.min(Math.max(value, 0), highest)
}
