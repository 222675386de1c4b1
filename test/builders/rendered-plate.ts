import { type Quad } from '../../src/enhance/picture/quad.ts'
import { createFont } from '../../src/pipeline/overlay/font.ts'
import { type Light, lightOf, type Surface } from './rendered-scene.ts'

export interface PlateLook {
  /** One line, or two. */
  readonly lines: readonly string[]
  /** Where its corners are in the picture, in shares of width and height. */
  readonly corners?: Quad
  readonly paper?: string
  readonly ink?: string
  /** The letters in a blue band at its left end. */
  readonly country?: string
}

/** Something flat with writing on it that is part of a scene. */
export interface RenderedPlate {
  at(x: number, y: number): Surface | undefined
}

/** In the middle of the back of a vehicle, seen a little from the side. */
const DEFAULT_CORNERS: Quad = [
  { x: 0.32, y: 0.6 },
  { x: 0.67, y: 0.59 },
  { x: 0.67, y: 0.69 },
  { x: 0.32, y: 0.705 },
]
const CAP_HEIGHT = 60
const MARGIN = 16
const LINE_GAP = 14

export function aPlate({
  lines,
  corners = DEFAULT_CORNERS,
  paper = '#f0f0ee',
  ink = '#101010',
  country,
}: PlateLook): RenderedPlate {
  const { ink: inked, width, height } = write(lines, country === undefined ? 0 : 64)
  const band = country === undefined ? undefined : write([country], 0)
  const colours = { paper: lightOf(paper), ink: lightOf(ink), blue: lightOf('#1038a0'), white: lightOf('#f0f0f0') }
  const toPlate = fromQuad(corners)
  const mix = (under: Light, over: Light, share: number): Light => [
    under[0] + (over[0] - under[0]) * share,
    under[1] + (over[1] - under[1]) * share,
    under[2] + (over[2] - under[2]) * share,
  ]
  return {
    at(x, y) {
      const { u, v } = toPlate(x, y)
      if (u < 0 || v < 0 || u >= 1 || v >= 1) return undefined
      const [column, row] = [Math.floor(u * width), Math.floor(v * height)]
      if (band && column < 56) {
        const [bandX, bandY] = [Math.floor((column / 56) * band.width), Math.floor(((v - 0.5) * band.height) / 0.45)]
        const share = bandY >= 0 && bandY < band.height ? band.ink[bandY * band.width + bandX]! / 255 : 0
        return { colour: mix(colours.blue, colours.white, share), shade: 1 }
      }
      return { colour: mix(colours.paper, colours.ink, inked[row * width + column]! / 255), shade: 1 }
    },
  }
}

/** Lines of text, centred, as a mask with a margin and a frame. */
function write(lines: readonly string[], left: number): { ink: Uint8Array; width: number; height: number } {
  const font = createFont(CAP_HEIGHT)
  const laidOut = lines.map((line) => font.layOut(line))
  const inner = Math.max(...laidOut.map((line) => line.width))
  const width = inner + 2 * MARGIN + left
  const height = lines.length * CAP_HEIGHT + (lines.length - 1) * LINE_GAP + 2 * MARGIN
  const ink = new Uint8Array(width * height)
  for (let x = 0; x < width; x++) for (const y of [0, 1, height - 2, height - 1]) ink[y * width + x] = 255
  for (const [index, { glyphs, width: lineWidth }] of laidOut.entries()) {
    let x = left + MARGIN + ((inner - lineWidth) >> 1)
    const top = MARGIN + index * (CAP_HEIGHT + LINE_GAP)
    for (const glyph of glyphs) {
      for (let at = 0; at < glyph.mask.length; at++) {
        const y = top + Math.floor(at / glyph.width)
        if (y < height) ink[y * width + x + (at % glyph.width)]! |= glyph.mask[at]!
      }
      x += glyph.advance
    }
  }
  return { ink, width, height }
}

/** Where in the quad a point lies: across 0…1 and down 0…1, by two steps of Newton's method on the bilinear map. */
function fromQuad([a, b, c, d]: Quad): (x: number, y: number) => { u: number; v: number } {
  return (x, y) => {
    let [u, v] = [0.5, 0.5]
    for (let step = 0; step < 4; step++) {
      const px = (1 - v) * (a.x + u * (b.x - a.x)) + v * (d.x + u * (c.x - d.x)) - x
      const py = (1 - v) * (a.y + u * (b.y - a.y)) + v * (d.y + u * (c.y - d.y)) - y
      const [ux, uy] = [(1 - v) * (b.x - a.x) + v * (c.x - d.x), (1 - v) * (b.y - a.y) + v * (c.y - d.y)]
      const [vx, vy] = [d.x - a.x + u * (c.x - d.x - b.x + a.x), d.y - a.y + u * (c.y - d.y - b.y + a.y)]
      const determinant = ux * vy - vx * uy
      u -= (px * vy - vx * py) / determinant
      v -= (ux * py - px * uy) / determinant
    }
    return { u, v }
  }
}
