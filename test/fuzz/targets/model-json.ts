import { parseModelJson } from '../../../src/pipeline/detect/model-json.ts'
import { tinyModels } from '../../models/tiny-models.ts'
import { type Json, mutateJson } from '../mutate-json.ts'
import { isSentence } from '../sentence.ts'
import { type FuzzTarget } from '../target.ts'

/** What a user writes who knows every field. */
const WHOLE: Json = {
  name: 'my-model',
  family: 'yolov8',
  classes: ['person', 'car'],
  licence: 'CC0-1.0',
  attribution: 'me',
  description: 'finds things',
  input: {
    width: 640,
    height: 480,
    fit: 'letterbox',
    padding: 114,
    order: 'rgb',
    range: 255,
    mean: [0.5, 0.5, 0.5],
    std: [0.2, 0.2, 0.2],
  },
  outputs: { output: 'output0' },
  decoded: false,
  nms_iou: 0.5,
}

export const modelJson: FuzzTarget = {
  name: 'model-json',
  about: 'descriptions of models that users bring',
  counts: { short: 3_000, long: 100_000 },
  open() {
    const documents: readonly Json[] = [WHOLE, ...tinyModels.map((make) => make().json as Json)]
    return {
      create: (random) => mutateJson(random.pick(documents), random),
      feed(input) {
        try {
          const { classes } = parseModelJson(input.toString('utf8'))
          if (classes.length === 0) throw new TypeError('A model without classes was taken.')
        } catch (error) {
          if (!isSentence(error)) throw error
        }
      },
    }
  },
}
