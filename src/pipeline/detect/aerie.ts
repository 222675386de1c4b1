import { createCollector } from './detection-collector.ts'
import { type ModelFamily } from './model-family.ts'
import { findOutputs, fitShape } from './output-fit.ts'

/**
 * Models that decode in the graph and answer for every cell its box (corners in canvas pixels), its best class and how
 * sure it is of that class, in no order.
 */
export const aerie = {
  name: 'aerie' as const,
  picture: { fit: 'letterbox', padding: 114, order: 'rgb', range: 255, mean: [0, 0, 0], deviation: [1, 1, 1] },
  maxOverlap: 0.5,

  chooseOutputs: (available, named) =>
    findOutputs(available, { box: ['box'], score: ['score'], class: ['cls'] }, named),

  createDecoder(options) {
    const { outputs, confidence } = options
    const [, count] = fitShape(outputs['score']!, 1, 'N')
    fitShape(outputs['class']!, 1, count!)
    fitShape(outputs['box']!, 1, count!, 4)
    const collector = createCollector(options)

    return ({ score, class: classOf, box }, letterbox) => {
      for (let index = 0; index < count!; index++) {
        if (!(score![index]! >= confidence)) continue
        const at = 4 * index
        collector.offer(score![index]!, classOf![index]!, box![at]!, box![at + 1]!, box![at + 2]!, box![at + 3]!)
      }
      return collector.finish(letterbox)
    }
  },
} satisfies ModelFamily
