import { describe, expect, test } from 'vitest'
import { fillTensor, type TensorFilling } from './fill-tensor.ts'

/** Two pixels. */
const canvas = Uint8Array.of(10, 20, 30, 40, 50, 60)
const halved = { factors: [0.5, 0.5, 0.5], offsets: [0, 100, 0] }

function floats(filling: TensorFilling): number[] {
  const tensor = new Float32Array(6)
  fillTensor(canvas, tensor, filling)
  return [...tensor]
}

describe('fillTensor', () => {
  test.each<{ name: string; filling: TensorFilling; expected: number[] }>([
    {
      name: 'bytes as they are',
      filling: { layout: 'pixels', order: 'rgb' },
      expected: [10, 20, 30, 40, 50, 60],
    },
    {
      name: 'blue first',
      filling: { layout: 'pixels', order: 'bgr' },
      expected: [30, 20, 10, 60, 50, 40],
    },
    {
      name: 'one plane a channel',
      filling: { layout: 'planes', order: 'rgb' },
      expected: [10, 40, 20, 50, 30, 60],
    },
    {
      name: 'planes, blue first',
      filling: { layout: 'planes', order: 'bgr' },
      expected: [30, 60, 20, 50, 10, 40],
    },
    {
      name: 'scaled channel by channel',
      filling: { layout: 'planes', order: 'rgb', scaling: halved },
      expected: [5, 20, 110, 125, 15, 30],
    },
    {
      name: 'scaled pixels',
      filling: { layout: 'pixels', order: 'bgr', scaling: halved },
      expected: [15, 110, 5, 30, 125, 20],
    },
  ])('$name', ({ filling, expected }) => expect(floats(filling)).toEqual(expected))

  test('bytes stay bytes', () => {
    const tensor = new Uint8Array(6)
    fillTensor(canvas, tensor, { layout: 'planes', order: 'bgr' })
    expect([...tensor]).toEqual([30, 60, 20, 50, 10, 40])
  })
})
