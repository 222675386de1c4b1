import { createCollector } from './detection-collector.ts'
import { type ModelFamily } from './model-family.ts'
import { findOutputs, fitShape } from './output-fit.ts'

/**
 * EfficientDet as `convert/detection-head.ts` ends it: the likeliest anchors, the best first. A box is an offset from
 * its anchor, both as (y, x, height, width) with the centre first; anchors are in fractions of the canvas.
 */
export const efficientdet = {
  name: 'efficientdet' as const,
  picture: {
    fit: 'letterbox',
    // The middle of the model's input range, which it was trained with.
    padding: 127,
    order: 'rgb',
    range: 255,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
  },
  maxOverlap: 0.5,

  chooseOutputs: (available, named) =>
    findOutputs(available, { score: ['score'], class: ['class'], box: ['box'], anchor: ['anchor'] }, named),

  createDecoder(options) {
    const { outputs, confidence, canvas } = options
    const [, count] = fitShape(outputs['score']!, 1, 'N')
    fitShape(outputs['class']!, 1, count!)
    fitShape(outputs['box']!, 1, count!, 4)
    fitShape(outputs['anchor']!, 1, count!, 4)
    const collector = createCollector(options)

    return ({ score, class: classOf, box, anchor }, letterbox) => {
      for (let index = 0, at = 0; index < count!; index++, at += 4) {
        if (!(score![index]! >= confidence)) break
        const height = Math.exp(box![at + 2]!) * anchor![at + 2]! * canvas.height
        const width = Math.exp(box![at + 3]!) * anchor![at + 3]! * canvas.width
        const top = (box![at]! * anchor![at + 2]! + anchor![at]!) * canvas.height - height / 2
        const left = (box![at + 1]! * anchor![at + 3]! + anchor![at + 1]!) * canvas.width - width / 2
        collector.offer(score![index]!, classOf![index]!, left, top, left + width, top + height)
      }
      return collector.finish(letterbox)
    }
  },
} satisfies ModelFamily
