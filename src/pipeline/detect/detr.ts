import { createCollector, type DetectionCollector } from './detection-collector.ts'
import { type Decoder, type DecoderOptions, type ModelFamily } from './model-family.ts'
import { findOutputs, fitClasses, fitShape } from './output-fit.ts'

/**
 * Detection transformers: RT-DETR, D-FINE, RF-DETR. They answer a fixed number of objects and need no suppression.
 * There are two kinds of exports:
 *
 * - `logits` [1, N, classes] (a sigmoid makes them 0…1) and `boxes` [1, N, 4], the centre, width and height in
 *   fractions of the picture: exports by Hugging Face and of RF-DETR.
 * - `labels` [1, N], `boxes` [1, N, 4] (corners) and `scores` [1, N]: exports by the authors of RT-DETR and D-FINE. The
 *   size that they are given in a second input is the canvas's, so corners are in canvas pixels.
 */
export const detr = {
  name: 'detr' as const,
  picture: { fit: 'stretch', padding: 0, order: 'rgb', range: 1, mean: [0, 0, 0], deviation: [1, 1, 1] },
  maxOverlap: null,

  chooseOutputs(available, named) {
    const isFinished = 'scores' in named || available.some(({ name }) => name === 'scores')
    return isFinished
      ? findOutputs(available, { labels: ['labels'], boxes: ['boxes'], scores: ['scores'] }, named)
      : findOutputs(
          available,
          { logits: ['logits', 'pred_logits', 'labels'], boxes: ['pred_boxes', 'boxes', 'dets'] },
          named,
        )
  },

  createDecoder(options) {
    const collector = createCollector(options)
    return 'scores' in options.outputs ? finishedDecoder(options, collector) : rawDecoder(options, collector)
  },
} satisfies ModelFamily

function rawDecoder(options: DecoderOptions, collector: DetectionCollector): Decoder {
  const { outputs, classes, canvas } = options
  const [, count, outputCount] = fitShape(outputs['logits']!, 1, 'N', 'classes')
  fitShape(outputs['boxes']!, 1, count!, 4)
  fitClasses(outputCount!, options)
  // An output without a name may stand for the background, which is often the surest of all.
  const places = classes.flatMap((known, place) => (known ? place : []))

  return ({ logits, boxes }, letterbox) => {
    for (let index = 0; index < count!; index++) {
      const from = index * outputCount!
      let best = places[0]!
      for (const place of places) if (logits![from + place]! > logits![from + best]!) best = place
      const at = 4 * index
      const [x, y] = [boxes![at]! * canvas.width, boxes![at + 1]! * canvas.height]
      const [halfWidth, halfHeight] = [(boxes![at + 2]! * canvas.width) / 2, (boxes![at + 3]! * canvas.height) / 2]
      const score = 1 / (1 + Math.exp(-logits![from + best]!))
      collector.offer(score, best, x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight)
    }
    return collector.finish(letterbox)
  }
}

function finishedDecoder({ outputs }: DecoderOptions, collector: DetectionCollector): Decoder {
  const [, count] = fitShape(outputs['scores']!, 1, 'N')
  fitShape(outputs['labels']!, 1, count!)
  fitShape(outputs['boxes']!, 1, count!, 4)

  return ({ labels, boxes, scores }, letterbox) => {
    for (let index = 0; index < count!; index++) {
      const at = 4 * index
      collector.offer(scores![index]!, labels![index]!, boxes![at]!, boxes![at + 1]!, boxes![at + 2]!, boxes![at + 3]!)
    }
    return collector.finish(letterbox)
  }
}
