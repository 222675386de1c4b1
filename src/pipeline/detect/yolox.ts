import { type Size } from '../../core/detection.ts'
import { createCollector } from './detection-collector.ts'
import { type ModelFamily, type OutputShape } from './model-family.ts'
import { findOnlyOutput, fitClasses, fitShape } from './output-fit.ts'

/**
 * YOLOX as its own exporter writes it: one output [1, N, 5 + classes] with a row for every cell of the grids, the
 * finest grid first, row by row. A row is the centre (in cells, from the cell's corner), the logarithm of width and
 * height in cells, the certainty that there is anything, and that of every class, both 0…1 already.
 */
export const yolox = {
  name: 'yolox' as const,
  picture: { fit: 'letterbox', padding: 114, order: 'bgr', range: 255, mean: [0, 0, 0], deviation: [1, 1, 1] },
  maxOverlap: 0.45,

  chooseOutputs: findOnlyOutput,

  createDecoder(options) {
    const { outputs, classes, confidence, canvas, isDecoded = false } = options
    const output = outputs['output']!
    const [, count, columns] = fitShape(output, 1, 'N', `(5 + ${classes.length} classes)`)
    fitClasses(columns! - 5, options)
    const cells = isDecoded ? undefined : gridCells(output, canvas)
    const places = classes.flatMap((known, place) => (known ? place : []))
    const collector = createCollector(options)

    return ({ output: rows }, letterbox) => {
      for (let index = 0, at = 0; index < count!; index++, at += columns!) {
        const objectness = rows![at + 4]!
        // No class makes it more certain than this: most rows end here.
        if (!(objectness >= confidence)) continue
        let best = places[0]!
        for (const place of places) if (rows![at + 5 + place]! > rows![at + 5 + best]!) best = place

        let [x, y, width, height] = [rows![at]!, rows![at + 1]!, rows![at + 2]!, rows![at + 3]!]
        if (cells) {
          const { column, row, stride } = cells[index]!
          x = (x + column) * stride
          y = (y + row) * stride
          width = Math.exp(width) * stride
          height = Math.exp(height) * stride
        }
        const score = objectness * rows![at + 5 + best]!
        collector.offer(score, best, x - width / 2, y - height / 2, x + width / 2, y + height / 2)
      }
      return collector.finish(letterbox)
    }
  },
} satisfies ModelFamily

interface Cell {
  readonly column: number
  readonly row: number
  /** The side of a cell, in canvas pixels. */
  readonly stride: number
}

/** Cells of the usual models; the large ones for 1280 pixels have a fourth grid. */
const strideSets = [
  [8, 16, 32],
  [8, 16, 32, 64],
] as const

function gridCells({ name, shape }: OutputShape, canvas: Size): readonly Cell[] {
  const counts = strideSets.map((strides) => strides.reduce((sum, stride) => sum + cellCount(canvas, stride), 0))
  const strides = strideSets[counts.indexOf(shape[1]!)]
  if (!strides) {
    throw new Error(
      `its output "${name}" has ${shape[1]} rows, but a picture of ${canvas.width}×${canvas.height} ` +
        `has ${[...new Set(counts)].join(' or ')} cells`,
    )
  }
  return strides.flatMap((stride) => {
    const columns = Math.floor(canvas.width / stride)
    return Array.from({ length: cellCount(canvas, stride) }, (_, index) => {
      return { column: index % columns, row: Math.floor(index / columns), stride }
    })
  })
}

function cellCount({ width, height }: Size, stride: number): number {
  return Math.floor(width / stride) * Math.floor(height / stride)
}
