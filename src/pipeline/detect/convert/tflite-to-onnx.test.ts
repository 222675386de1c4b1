import { describe, expect, test } from 'vitest'
import {
  quantised,
  tfliteDetector as detector,
  tfliteTensor as tensor,
} from '../../../../test/builders/tflite-detector.ts'
import { openSession } from '../onnx-session.ts'
import { type NumberFormat } from './number-format.ts'
import { writeOnnx } from './onnx-writer.ts'
import { convertTflite } from './tflite-to-onnx.ts'
import { type TfliteModel } from './tflite-model.ts'

const formats: readonly NumberFormat[] = [
  { activations: 'int8', weights: 'int8' },
  { activations: 'uint8', weights: 'int8' },
  { activations: 'uint8', weights: 'uint8' },
]

describe('convertTflite', () => {
  test.each(formats)('keeps what a detector says, in $activations × $weights', async (format) => {
    const session = await openSession({ model: writeOnnx(convertTflite(detector, format)) })
    // Left pixel: logits 0 and −1, blue 0.5. Right pixel: logits −2 and 1.5, blue −0.25.
    const {
      score,
      class: classes,
      box,
      anchor,
    } = await session.run(Uint8Array.of(127, 111, 135, /* right */ 95, 151, 123))
    const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
    expect([...score!]).toEqual([expect.closeTo(sigmoid(1.5)), expect.closeTo(sigmoid(0))])
    expect([...classes!]).toEqual([1, 0])
    expect([...box!]).toEqual([-0.25, 0, 0, 0, 0.5, 0, 0, 0])
    expect([...anchor!]).toEqual([0.5, 0.75, 1, 0.5, 0.5, 0.25, 1, 0.5])
    await session.close()
  })

  const without = (...kinds: string[]): TfliteModel => ({
    ...detector,
    operators: detector.operators.filter(({ kind }) => !kinds.includes(kind)),
  })

  test('refuses a model that is not a detector', () => {
    expect(() => convertTflite(without('detection-post-process'), formats[0]!)).toThrow(/not a detector/)
  })

  test('refuses scores that are not made by a logistic', () => {
    expect(() => convertTflite(without('logistic'), formats[0]!)).toThrow(/do not come from a logistic/)
  })

  test('refuses a picture that is scaled on its way in', () => {
    const tensors = detector.tensors.with(1, tensor([1, 1, 2, 3], { quantisation: quantised(1 / 8, -1) }))
    expect(() => convertTflite({ ...detector, tensors }, formats[0]!)).toThrow(/takes the picture as it is/)
  })

  test('refuses to change a scale by reshaping', () => {
    const tensors = detector.tensors.with(5, tensor([1, 2, 2], { quantisation: quantised(1 / 8, -1) }))
    expect(() => convertTflite({ ...detector, tensors }, formats[0]!)).toThrow(/change their scale/)
  })
})
