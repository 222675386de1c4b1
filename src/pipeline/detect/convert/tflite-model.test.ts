import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { tfliteDetector } from '../../../../test/builders/tflite-detector.ts'
import { writeTflite } from '../../../../test/builders/tflite-file.ts'
import { cocoModels } from '../coco-models.ts'
import { readTflite } from './tflite-model.ts'

const { resolve } = createRequire(import.meta.url)
const weightsOf = (file: string) => readFile(resolve(`efficientdet-lite-weights/${file}`))

test.each(cocoModels)('reads the graph of "$name"', async ({ inputSize, weights }) => {
  const { tensors, inputs, operators } = readTflite(await weightsOf(weights.file))
  const picture = tensors[inputs[0]!]!
  expect(inputs).toHaveLength(1)
  expect(picture).toMatchObject({ shape: [1, inputSize.height, inputSize.width, 3], element: 'uint8' })
  expect(picture.quantisation).toMatchObject({ scales: [1 / 128], zeroPoints: [127] })
  expect(operators[0]).toMatchObject({ kind: 'quantize', inputs })
  expect(operators.at(-1)).toMatchObject({ kind: 'detection-post-process' })

  const anchors = tensors[operators.at(-1)!.inputs[2]!]!
  expect(anchors.data.length).toBe(anchors.shape[0]! * 4 * 4)
  const [first] = operators.filter(({ kind }) => kind === 'convolution')
  expect(tensors[first!.inputs[1]!]).toMatchObject({ shape: [32, 3, 3, 3], element: 'int8' })
  expect(tensors[first!.inputs[1]!]!.quantisation?.scales).toHaveLength(32)
})

test('reads what was written of a model', () => {
  const { tensors, inputs, operators } = readTflite(writeTflite(tfliteDetector))
  expect(inputs).toEqual(tfliteDetector.inputs)
  expect(tensors).toEqual(tfliteDetector.tensors)
  expect(operators).toEqual(tfliteDetector.operators)
})

const [first, second, ...others] = tfliteDetector.tensors

test.each([
  ['names a tensor that is not there', { inputs: [99] }, 'names the tensor 99, which it does not have'],
  ['has a side below nothing', { tensors: [{ ...first!, shape: [1, -1, 2, 3] }, second!, ...others] }, 'not as large'],
  [
    'has a side without end',
    { tensors: [{ ...first!, shape: [1, 2 ** 30, 2, 3] }, second!, ...others] },
    'not as large',
  ],
  [
    'says more than it holds',
    { tensors: [first!, { ...second!, data: new Uint8Array(5) }, ...others] },
    'not as large',
  ],
])('refuses a model that %s', (_name, change, sentence) => {
  expect(() => readTflite(writeTflite({ ...tfliteDetector, ...change }))).toThrow(sentence)
})

test('refuses a file of another kind', () => {
  expect(() => readTflite(Buffer.from('not a model at all'))).toThrow(/not a readable flatbuffer/)
})
