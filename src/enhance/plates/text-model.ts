import '../../core/no-onnx-telemetry.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type RgbPicture } from '../picture/rgb-picture.ts'

/** How bytes become the numbers that a model was trained on: byte × factor + offset, for blue, green and red. */
export interface Scaling {
  readonly factors: readonly [number, number, number]
  readonly offsets: readonly [number, number, number]
}

export interface ModelAnswer {
  readonly values: Float32Array
  readonly shape: readonly number[]
}

/** A model with one picture in and one tensor out, of any size. It works on the calling thread: its process has nothing else to do. */
export interface TextModel {
  /** Columns from the picture's width up to `width` are zero. */
  run(picture: RgbPicture, width?: number): Promise<ModelAnswer>
  close(): Promise<void>
}

export async function openTextModel(
  weights: Uint8Array,
  { factors, offsets }: Scaling,
  threads = 1,
): Promise<TextModel> {
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Every crop has another size: what is kept for each would only grow.
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!]
  return {
    async run({ width: filled, height, rgb }, width = filled) {
      const plane = width * height
      const data = new Float32Array(3 * plane)
      for (let y = 0, from = 0; y < height; y++) {
        for (let x = 0, to = y * width; x < filled; x++, to++, from += 3) {
          data[to] = rgb[from + 2]! * factors[0] + offsets[0]
          data[to + plane] = rgb[from + 1]! * factors[1] + offsets[1]
          data[to + 2 * plane] = rgb[from]! * factors[2] + offsets[2]
        }
      }
      const answers = await session.run({ [input]: new Tensor('float32', data, [1, 3, height, width]) })
      const { data: values, dims } = answers[output]!
      return { values: values as Float32Array, shape: dims }
    },
    close: () => session.release(),
  }
}
