import { BASELINE, glyphStrokes, isDrawable, TAIL, UNKNOWN } from './glyph-strokes.ts'
import { distanceTo, flatten, type Point } from './stroke-path.ts'

/** One character at one size. */
export interface Glyph {
  readonly width: number
  readonly height: number
  /** How much of each pixel is ink, 0…255, line by line. */
  readonly mask: Uint8Array
  /** Pixels to the beginning of the next character. */
  readonly advance: number
}

/** Our font at one size; each glyph is drawn once and kept. Bounded by the characters there are. */
export interface Font {
  /** Of capitals, in pixels. */
  readonly capHeight: number
  /** Of every glyph: from the top of capitals to the end of tails. */
  readonly height: number
  glyphs(text: string): readonly Glyph[]
  /** The text's width in pixels, without the space behind it. */
  measure(text: string): number
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
      return { width: 0, height, mask: new Uint8Array(0), advance: Math.round(SPACE * unit) + gap }
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
    return { width, height, mask, advance: width + gap }
  }

  function glyphOf(character: string): Glyph {
    const name = nearestDrawable(character)
    let glyph = known.get(name)
    if (!glyph) known.set(name, (glyph = draw(name)))
    return glyph
  }

  const glyphs = (text: string) => Array.from(text, glyphOf)
  return {
    capHeight,
    height,
    glyphs,
    measure(text) {
      const all = glyphs(text)
      return all.reduce((sum, { advance }) => sum + advance, 0) - (all.length > 0 ? gap : 0)
    },
  }
}

/** Letters with accents lose them: better than no letter at all. */
function nearestDrawable(character: string): string {
  if (isDrawable(character)) return character
  const [base = ''] = character.normalize('NFD')
  return isDrawable(base) ? base : UNKNOWN
}
