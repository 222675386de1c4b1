import { type Box, type Size } from '../../core/detection.ts'

/**
 * Sees which squares of a scene differ from what was looked at before. Noise, compression, leaves in the wind and clocks
 * in a corner change pictures too: what changes again and again where nothing is found is soon thought nothing of.
 */
export interface SceneChange {
  /** The squares of the pictures that are compared. */
  readonly grid: Grid
  /** The next picture, which the others below are about: calls for each square that shows something new. */
  compare(picture: SmallGreyPicture, onChanged: (cell: number) => void): void
  /** This square has been looked at: later pictures are compared with it as it is now. */
  accept(cell: number, wasFound: 'something' | 'nothing'): void
}

/** Brightness alone, no gaps between lines. */
export interface SmallGreyPicture extends Size {
  readonly data: Uint8Array
}

/** Squares in rows from the top left. */
export interface Grid {
  readonly columns: number
  readonly rows: number
}

/** Side of a square, in small pixels. */
const CELL = 4
/** Grey levels: a square that differs by less is never seen to differ. */
const MIN_DIFFERENCE = 6
/** A square shows something new when it differs by so many times what it usually does. */
const UNUSUAL = 1.4
/** A difference of a whole square counts for so many times one of two of its pixels: for what is large and hardly stands out. */
const MEAN_WEIGHT = 2
/** How fast it is learnt how much a square usually differs: by what is not seen as new, by what turned out to be nothing, and forgotten. */
const LEARNING = { typical: 1 / 4, nothing: 1 / 3, forgetting: 1 / 256 }
/** The noise of a camera is much the same in all squares: one that differs by little more than the others has not changed. */
const UNUSUAL_HERE = 1.8
/** What differs by more is more than noise. */
const MAX_NOISE = 12
/** Every so manieth pixel tells how the light has changed. */
const LIGHT_STEP = 7

/** Of pictures of one size, the first of which has been looked at. */
export function createSceneChange({ width, height, data }: SmallGreyPicture): SceneChange {
  const columns = Math.floor(width / CELL)
  const rows = Math.floor(height / CELL)
  /** What was looked at. */
  const known = Uint8Array.from(data)
  const now = Uint8Array.from(data)
  /** By how much each square differs from that, and by how much it typically does. */
  const differences = new Float32Array(columns * rows)
  const typical = new Float32Array(columns * rows)
  /** By how much squares usually differ, in the mean. */
  let noise = 0

  /** By how much two of its pixels differ at least, or all of them in the mean. */
  function differenceOf(cell: number, brightening: number): number {
    const first = Math.floor(cell / columns) * CELL * width + (cell % columns) * CELL
    let sum = 0
    let largest = 0
    let second = 0
    for (let y = 0, line = first; y < CELL; y++, line += width) {
      for (let at = line; at < line + CELL; at++) {
        const difference = now[at]! - known[at]! - brightening
        sum += difference
        const size = Math.abs(difference)
        // Without branches, which the processor would guess wrong half of the time.
        second = Math.max(second, Math.min(largest, size))
        largest = Math.max(largest, size)
      }
    }
    return Math.max(second, (MEAN_WEIGHT * Math.abs(sum)) / CELL ** 2)
  }

  function learn(cell: number, difference: number): void {
    const rate = difference > typical[cell]! ? LEARNING.typical : LEARNING.forgetting
    typical[cell]! += rate * (difference - typical[cell]!)
  }

  return {
    grid: { columns, rows },
    compare(picture, onChanged) {
      now.set(picture.data)
      // Whole grey levels: in floating point the comparison takes twice as long.
      const brightening = Math.round(meanDifference(known, now))
      const minDifference = Math.max(MIN_DIFFERENCE, UNUSUAL_HERE * noise)
      let sum = 0
      for (let cell = 0; cell < differences.length; cell++) {
        const difference = differenceOf(cell, brightening)
        differences[cell] = difference
        if (difference > minDifference && difference > UNUSUAL * typical[cell]!) onChanged(cell)
        else learn(cell, difference)
        sum += Math.min(MAX_NOISE, typical[cell]!)
      }
      noise = sum / differences.length
    },
    accept(cell, wasFound) {
      const excess = differences[cell]! - typical[cell]!
      if (wasFound === 'nothing' && excess > 0) typical[cell]! += LEARNING.nothing * excess
      const first = Math.floor(cell / columns) * CELL * width + (cell % columns) * CELL
      for (let y = 0, line = first; y < CELL; y++, line += width)
        for (let at = line; at < line + CELL; at++) known[at] = now[at]!
    },
  }
}

function meanDifference(before: Uint8Array, after: Uint8Array): number {
  let sum = 0
  let count = 0
  for (let at = 0; at < after.length; at += LIGHT_STEP, count++) sum += after[at]! - before[at]!
  return sum / count
}

/** The squares that a part of a picture covers, however little of them. */
export function cellsOf({ columns, rows }: Grid, part: Box, { width, height }: Size): number[] {
  const cells: number[] = []
  const left = Math.max(0, Math.floor((part.x / width) * columns))
  const right = Math.min(columns, Math.ceil(((part.x + part.width) / width) * columns))
  const bottom = Math.min(rows, Math.ceil(((part.y + part.height) / height) * rows))
  for (let row = Math.max(0, Math.floor((part.y / height) * rows)); row < bottom; row++)
    for (let column = left; column < right; column++) cells.push(row * columns + column)
  return cells
}
