import { describe, expect, test } from 'vitest'
import { openSession } from '../onnx-session.ts'
import { float32Tensor, int64Tensor, type OnnxGraph } from './onnx-graph.ts'
import { writeOnnx } from './onnx-writer.ts'

/** Six bytes in; their sums over the rows of a 2×3 table out, halved. */
const graph: OnnxGraph = {
  name: 'sums',
  inputs: [{ name: 'image', element: 'uint8', shape: [6] }],
  outputs: [{ name: 'sum', element: 'float32', shape: [2] }],
  nodes: [
    { operator: 'Cast', inputs: ['image'], outputs: ['real'], attributes: { to: 1 } },
    { operator: 'Reshape', inputs: ['real', 'shape'], outputs: ['table'] },
    { operator: 'ReduceMean', inputs: ['table'], outputs: ['mean'], attributes: { axes: [1], keepdims: 0 } },
    { operator: 'Mul', inputs: ['mean', 'factor'], outputs: ['sum'] },
  ],
  constants: new Map([
    ['shape', int64Tensor([2], [2, -1])],
    ['factor', float32Tensor([], [1.5])],
  ]),
}

describe('writeOnnx', () => {
  test('writes what ONNX Runtime loads and runs', async () => {
    const session = await openSession({ model: writeOnnx(graph) })
    const { sum } = await session.run(Uint8Array.of(1, 2, 3, 4, 5, 6))
    expect([...sum!]).toEqual([3, 7.5])
    await session.close()
  })

  test('gives the same bytes for the same graph', () => {
    expect(Buffer.from(writeOnnx(graph)).equals(writeOnnx(graph))).toBe(true)
  })
})
