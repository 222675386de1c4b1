import { BASELINE, glyphStrokes, isDrawable, TAIL, UNKNOWN } from './glyph-strokes.ts'
import { distanceTo, flatten, type Point } from './stroke-path.ts'

/** One character at one size. */
export interface Glyph {
  readonly width: number
  readonly height: number
  /** How much of each pixel is ink, 0…255, line by line. */
  readonly mask: Uint8Array
  /** The same as a list of the pixels that have any: column, line, share, and so on. */
  readonly ink: Uint8Array
  /** Pixels to the beginning of the next character. */
  readonly advance: number
}

/** One line of text. */
export interface TextLine {
  readonly glyphs: readonly Glyph[]
  /** In pixels, without the space behind it. */
  readonly width: number
}

/** Our font at one size; each glyph is drawn once and kept. Bounded by the characters there are. */
export interface Font {
  /** Of capitals, in pixels. */
  readonly capHeight: number
  /** Of every glyph: from the top of capitals to the end of tails. */
  readonly height: number
  layOut(text: string): TextLine
}

const SPACE = 4
/** Rounds the corners of small letters to half circles. */
const CORNER_RADIUS = 3.6

export function createFont(capHeight: number): Font {
  const weight = Math.max(1, Math.round(capHeight / 7))
  const unit = (capHeight - weight) / BASELINE
  const gap = Math.max(1, Math.round(2.2 * unit))
  const height = Math.round(TAIL * unit) + weight
  const known = new Map<string, Glyph>()

  // On the grid of pixels upright and level strokes have sharp edges.
  const snap = (value: number) => Math.round(value * unit) + weight / 2
  const place = ([x, y]: Point): Point => [snap(x), snap(y)]

  function draw(character: string): Glyph {
    const strokes = glyphStrokes(character)
    if (strokes.length === 0) {
      const mask = new Uint8Array(0)
      return { width: 0, height, mask, ink: mask, advance: Math.round(SPACE * unit) + gap }
    }
    const segments = strokes.flatMap((stroke) => flatten(stroke, place, CORNER_RADIUS * unit))
    const right = Math.max(...strokes.flatMap(({ points }) => points.map(([x]) => x)))
    const width = Math.round(right * unit) + weight
    const mask = new Uint8Array(width * height)
    for (let index = 0; index < mask.length; index++) {
      const centre: Point = [(index % width) + 0.5, Math.floor(index / width) + 0.5]
      let nearest = Infinity
      for (const segment of segments) nearest = Math.min(nearest, distanceTo(centre, segment))
      mask[index] = 255 * Math.min(1, Math.max(0, weight / 2 + 0.5 - nearest))
    }
    return { width, height, mask, ink: inkOf(mask, width), advance: width + gap }
  }

  function glyphOf(character: string): Glyph {
    const name = nearestDrawable(character)
    let glyph = known.get(name)
    if (!glyph) known.set(name, (glyph = draw(name)))
    return glyph
  }

  return {
    capHeight,
    height,
    layOut(text) {
      const glyphs: Glyph[] = []
      let width = -gap
      for (const character of text) {
        const glyph = known.get(character) ?? glyphOf(character)
        glyphs.push(glyph)
        width += glyph.advance
      }
      return { glyphs, width: Math.max(0, width) }
    },
  }
}

function inkOf(mask: Uint8Array, width: number): Uint8Array {
  const pixels = Array.from(mask, (share, index) => [index % width, Math.floor(index / width), share] as const)
  return Uint8Array.from(pixels.filter(([, , share]) => share > 0).flat())
}

/** Letters with accents lose them: better than no letter at all. */
function nearestDrawable(character: string): string {
  if (isDrawable(character)) return character
  const [base = ''] = character.normalize('NFD')
  return isDrawable(base) ? base : UNKNOWN
}
