import { writeOnnx } from '../../../src/pipeline/detect/convert/onnx-writer.ts'
import { readTflite } from '../../../src/pipeline/detect/convert/tflite-model.ts'
import { convertTflite } from '../../../src/pipeline/detect/convert/tflite-to-onnx.ts'
import { tfliteDetector } from '../../builders/tflite-detector.ts'
import { writeTflite } from '../../builders/tflite-file.ts'
import { edgeNumber } from '../edge-numbers.ts'
import { mutate } from '../mutate.ts'
import { isSentence } from '../sentence.ts'
import { type FuzzTarget } from '../target.ts'

const FORMAT = { activations: 'uint8', weights: 'int8' } as const

/** Weights of the embedded models; they are read after their checksum was found right, so only a fault of ours would show here. */
export const tflite: FuzzTarget = {
  name: 'tflite',
  about: 'models of TensorFlow Lite to the converter',
  counts: { short: 1_000, long: 50_000 },
  open() {
    const file = writeTflite(tfliteDetector)
    // What is written for this is read as what it was written of.
    convertTflite(readTflite(file), FORMAT)
    return {
      create(random) {
        if (random.oneIn(4)) return mutate(file, random)
        const copy = Buffer.from(file)
        // Nearly all of it are offsets, lengths and numbers, at every second or fourth byte.
        for (let left = 1 + random.below(3); left > 0; left--) {
          const at = random.below(copy.length - 4)
          if (random.oneIn(2)) copy.writeUInt32LE(edgeNumber(random, 32), at & ~3)
          else copy.writeUInt16LE(edgeNumber(random, random.pick([8, 16])), at & ~1)
        }
        return copy
      },
      feed(input) {
        try {
          writeOnnx(convertTflite(readTflite(input), FORMAT))
        } catch (error) {
          if (!isSentence(error)) throw error
        }
      },
    }
  },
}
