import { type RgbPicture } from '../picture/rgb-picture.ts'
import { linearLight } from './oklab.ts'

/** By what each channel's light is multiplied so that it looks as in plain daylight. */
export type Gains = readonly [red: number, green: number, blue: number]

/** The outer part of a picture, as a share of each side: mostly road, ground, wall and sky. */
const BORDER_SHARE = 0.08
/** How far the light is corrected; not wholly, since surroundings have colours of their own. */
const CORRECTED_SHARE = 0.75
const [MIN_GAIN, MAX_GAIN] = [0.6, 1.7]
/** What a bright part of a picture reaches in good light, and how much a dim one is raised at most. */
const BRIGHT_LIGHT = 0.75
const MAX_RAISED = 4
/** A border with less of what is about grey says nothing of the light. */
const MIN_GREY = 0.15

/**
 * Guesses the light from the surroundings, which are mostly about grey, and from how bright the brightest parts are. Strongly
 * coloured pixels (grass, paint) say nothing of the light and are left out; of the others the middle one counts, so that
 * a bright minority does not.
 */
export function estimateGains(picture: RgbPicture): Gains {
  const [warmth, coldness]: [number[], number[]] = [[], []]
  let count = 0
  for (const at of borderPixels(picture)) {
    const [red, green, blue] = lightAt(picture, at)
    const [min, max] = [Math.min(red, green, blue), Math.max(red, green, blue)]
    count++
    // A tinted light leaves grey things within this. Black and blown-out ones have no tint.
    if (max > 2.6 * min || max < 0.008 || max > 0.95) continue
    warmth.push(Math.log(red / green))
    coldness.push(Math.log(blue / green))
  }
  const raised = exposure(picture)
  if (warmth.length < MIN_GREY * count) return [raised, raised, raised]
  const [red, blue] = [median(warmth), median(coldness)]
  const mean = (red + blue) / 3
  const gain = (log: number) => Math.min(MAX_GAIN, Math.max(MIN_GAIN, Math.exp(CORRECTED_SHARE * (mean - log))))
  return [raised * gain(red), raised * gain(0), raised * gain(blue)]
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

/** At least 1: a picture that is bright enough is left as it is. */
function exposure(picture: RgbPicture): number {
  const counts = new Uint32Array(256)
  for (let at = 0; at < picture.rgb.length; at += 3)
    counts[Math.max(picture.rgb[at]!, picture.rgb[at + 1]!, picture.rgb[at + 2]!)]!++
  let [left, byte] = [0.03 * (picture.rgb.length / 3), 255]
  while (byte > 0 && left > counts[byte]!) left -= counts[byte--]!
  return Math.min(MAX_RAISED, Math.max(1, BRIGHT_LIGHT / Math.max(0.01, linearLight[byte]!)) ** 0.75)
}

export function lightAt({ rgb }: RgbPicture, at: number): [number, number, number] {
  return [linearLight[rgb[at]!]!, linearLight[rgb[at + 1]!]!, linearLight[rgb[at + 2]!]!]
}

/** Where in `rgb` each pixel of the border begins. */
export function* borderPixels({ width, height }: RgbPicture): Generator<number> {
  const [marginX, marginY] = [
    Math.max(1, Math.round(width * BORDER_SHARE)),
    Math.max(1, Math.round(height * BORDER_SHARE)),
  ]
  for (let y = 0; y < height; y++) {
    const isEdgeRow = y < marginY || y >= height - marginY
    for (let x = 0; x < width; x++) {
      if (isEdgeRow || x < marginX || x >= width - marginX) yield 3 * (y * width + x)
    }
  }
}
