import { type Size } from '../../core/detection.ts'
import { heightOf, type Point, type Quad, widen, widthOf } from '../picture/quad.ts'
import { textRectangle } from './text-rectangle.ts'

/** How likely each pixel belongs to text, 0…1. */
export interface TextMap extends Size {
  readonly values: Float32Array
}

export interface TextBox {
  readonly quad: Quad
  /** The mean of the map inside. */
  readonly score: number
}

/** What counts as text, and how sure the whole of a blot must be (Liao et al. 2020, differentiable binarization). */
const MIN_PIXEL = 0.3
const MIN_BOX = 0.5
/** The model marks the kernel of text: its outline is farther out by area × this ÷ circumference. */
const OUTLINE_GROWTH = 1.5
const MIN_SIDE = 3
/** Beyond it the smallest are left out; more text than that is no vehicle. */
const MAX_BOXES = 100

/** The places of text, from the text model's map; in pixels of the map. */
export function textBoxes(map: TextMap): TextBox[] {
  return blots(map)
    .sort((a, b) => b.size - a.size)
    .slice(0, MAX_BOXES)
    .flatMap(({ outline, sum, size }) => {
      const quad = textRectangle(outline)
      const score = sum / size
      if (score < MIN_BOX || Math.min(widthOf(quad), heightOf(quad)) < MIN_SIDE) return []
      return [{ quad: grow(quad), score }]
    })
}

function grow(quad: Quad): Quad {
  const [width, height] = [widthOf(quad), heightOf(quad)]
  const distance = (width * height * OUTLINE_GROWTH) / (2 * (width + height))
  return widen(quad, distance, distance)
}

interface Blot {
  /** The pixels at either end of each of its rows: all that an outline needs. */
  readonly outline: readonly Point[]
  readonly sum: number
  readonly size: number
}

/** Pixels above the threshold that touch each other, diagonally too. */
function blots({ width, height, values }: TextMap): Blot[] {
  const isSeen = new Uint8Array(width * height)
  const stack: number[] = []
  const found: Blot[] = []
  for (let start = 0; start < values.length; start++) {
    if (isSeen[start] || values[start]! <= MIN_PIXEL) continue
    const rows = new Map<number, { left: number; right: number }>()
    let [sum, size] = [0, 0]
    stack.push(start)
    isSeen[start] = 1
    while (stack.length > 0) {
      const at = stack.pop()!
      const [x, y] = [at % width, Math.floor(at / width)]
      sum += values[at]!
      size++
      const row = rows.get(y)
      if (!row) rows.set(y, { left: x, right: x })
      else if (x < row.left) row.left = x
      else if (x > row.right) row.right = x
      for (let nextY = Math.max(0, y - 1); nextY <= Math.min(height - 1, y + 1); nextY++) {
        for (let nextX = Math.max(0, x - 1); nextX <= Math.min(width - 1, x + 1); nextX++) {
          const next = nextY * width + nextX
          if (isSeen[next] || values[next]! <= MIN_PIXEL) continue
          isSeen[next] = 1
          stack.push(next)
        }
      }
    }
    const outline = [...rows].flatMap(([y, { left, right }]) => [
      { x: left + 0.5, y: y + 0.5 },
      { x: right + 0.5, y: y + 0.5 },
    ])
    found.push({ outline, sum, size })
  }
  return found
}
