import { createCollector } from './detection-collector.ts'
import { type ModelFamily } from './model-family.ts'
import { findOnlyOutput, fitClasses, shapeText } from './output-fit.ts'

/**
 * YOLOv8 and those that answer like it (v9, 11, 12): one output [1, 4 + classes, N]. Its rows are the centre, width and
 * height of N boxes in canvas pixels, then how sure the model is of every class, 0…1.
 */
export const yolov8 = {
  name: 'yolov8' as const,
  picture: { fit: 'letterbox', padding: 114, order: 'rgb', range: 1, mean: [0, 0, 0], deviation: [1, 1, 1] },
  maxOverlap: 0.7,

  chooseOutputs: findOnlyOutput,

  createDecoder(options) {
    const { outputs, classes, confidence } = options
    const { name, shape } = outputs['output']!
    const [batch, rows, count] = shape
    if (shape.length !== 3 || batch !== 1 || rows! < 5 || (count === 6 && rows! > count)) {
      const hint = count === 6 ? '; suppression is in the graph: export it without (nms=False, end2end=False)' : ''
      throw new Error(
        `its output "${name}" is ${shapeText(shape)}, but 1×(4 + ${classes.length} classes)×N is expected${hint}`,
      )
    }
    fitClasses(rows! - 4, options)
    const places = classes.flatMap((known, place) => (known ? place : []))
    const collector = createCollector(options)
    const bestScore = new Float32Array(count!)
    const bestPlace = new Int32Array(count!)

    return ({ output: values }, letterbox) => {
      bestScore.fill(0)
      // Class by class, because that is how they lie in memory.
      for (const place of places) {
        const from = (4 + place) * count!
        for (let index = 0; index < count!; index++) {
          const score = values![from + index]!
          if (score > bestScore[index]!) {
            bestScore[index] = score
            bestPlace[index] = place
          }
        }
      }
      for (let index = 0; index < count!; index++) {
        const score = bestScore[index]!
        if (!(score >= confidence)) continue
        const x = values![index]!
        const y = values![count! + index]!
        const width = values![2 * count! + index]!
        const height = values![3 * count! + index]!
        collector.offer(score, bestPlace[index]!, x - width / 2, y - height / 2, x + width / 2, y + height / 2)
      }
      return collector.finish(letterbox)
    }
  },
} satisfies ModelFamily
