import { type InferenceProvider } from '../../core/inference-provider.ts'
import { float32Tensor, type OnnxGraph } from './convert/onnx-graph.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { openSession } from './onnx-session.ts'

const SIDE = 8
const FACTOR = 2

/** Computes a convolution of floats as detectors have them, whose sum is known; rejects with the reason why that can't be done. */
export async function tryProvider(provider: InferenceProvider): Promise<void> {
  const session = await openSession({ model: writeOnnx(trialGraph()), provider })
  try {
    const { sum } = await session.run(new Uint8Array(SIDE * SIDE).fill(3))
    if (!sum!.every((value) => value === 3 * FACTOR)) throw new Error('it computes something else than it should')
  } finally {
    await session.close()
  }
}

function trialGraph(): OnnxGraph {
  const shape = [1, 1, SIDE, SIDE]
  return {
    name: 'trial',
    inputs: [{ name: 'image', element: 'uint8', shape }],
    outputs: [{ name: 'sum', element: 'float32', shape }],
    nodes: [
      { operator: 'Cast', inputs: ['image'], outputs: ['floats'], attributes: { to: 1 } },
      { operator: 'Conv', inputs: ['floats', 'weights'], outputs: ['sum'], attributes: { kernel_shape: [1, 1] } },
    ],
    constants: new Map([['weights', float32Tensor([1, 1, 1, 1], [FACTOR])]]),
  }
}
