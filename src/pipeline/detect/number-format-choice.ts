import { type NumberFormat } from './convert/number-format.ts'
import { float32Tensor, int32Tensor, type OnnxGraph } from './convert/onnx-graph.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { openSession } from './onnx-session.ts'

/**
 * The number format in which this machine computes fast and exactly. Measured with the model `fast` on one thread: on
 * x64 unsigned activations take 14 ms and signed ones 130 ms, on arm64 signed ones are 5–10 % faster. Unsigned weights
 * are exact everywhere, but take 43 ms where signed ones would do.
 */
export async function chooseNumberFormat(arch: string = process.arch): Promise<NumberFormat> {
  if (arch === 'arm64') return { activations: 'int8', weights: 'int8' }
  return { activations: 'uint8', weights: (await mixedSignsSaturate()) ? 'uint8' : 'int8' }
}

let saturates: Promise<boolean> | undefined

/**
 * Whether products of unsigned activations and signed weights come out too small. x64 processors without VNNI add
 * such products in pairs in 16 bits, which clip at 32767; scores then drop by a tenth. The only sure way to
 * know is to try: 255 × 127, sixty-four times.
 */
export function mixedSignsSaturate(): Promise<boolean> {
  return (saturates ??= tryOut())
}

async function tryOut(): Promise<boolean> {
  const session = await openSession({ model: writeOnnx(probe()) })
  try {
    const { sum } = await session.run(new Uint8Array(SIDE * SIDE * CHANNELS).fill(255))
    // Half of the range is the true sum; a clipped one is about half of that.
    return sum!.some((value) => value < 120)
  } finally {
    await session.close()
  }
}

const SIDE = 8
const CHANNELS = 64

/** One convolution as the detectors have them, with the largest numbers; its output 128 is the true sum. */
function probe(): OnnxGraph {
  const bytes = (value: number, length: number) => new Uint8Array(length).fill(value)
  const zero = { element: 'uint8', shape: [], data: bytes(0, 1) } as const
  const shape = [1, SIDE, SIDE, CHANNELS]
  return {
    name: 'probe',
    inputs: [{ name: 'image', element: 'uint8', shape }],
    outputs: [{ name: 'sum', element: 'int32', shape }],
    nodes: [
      {
        operator: 'QLinearConv',
        domain: 'com.microsoft',
        inputs: ['image', 'one', 'zero', 'weights', 'ones', 'zeros', 'scale', 'zero', 'bias'],
        outputs: ['bytes'],
        attributes: { channels_last: 1, kernel_shape: [1, 1], strides: [1, 1], pads: [0, 0, 0, 0], group: 1 },
      },
      { operator: 'Cast', inputs: ['bytes'], outputs: ['sum'], attributes: { to: 6 } },
    ],
    constants: new Map([
      ['zero', zero],
      ['one', float32Tensor([], [1])],
      ['scale', float32Tensor([], [(255 * 127 * CHANNELS) / 128])],
      ['weights', { element: 'int8', shape: [CHANNELS, CHANNELS, 1, 1], data: bytes(127, CHANNELS * CHANNELS) }],
      ['ones', float32Tensor([CHANNELS], new Float32Array(CHANNELS).fill(1))],
      ['zeros', { element: 'int8', shape: [CHANNELS], data: bytes(0, CHANNELS) }],
      ['bias', int32Tensor([CHANNELS], new Int32Array(CHANNELS))],
    ]),
  }
}
