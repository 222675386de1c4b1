// `node scripts/convert-tflite.js IN.tflite OUT.onnx`: an EfficientDet-Lite (int8) of your own as the ONNX file that the
// family `efficientdet` takes, in the number format in which this machine computes fast.
import { readFileSync, writeFileSync } from 'node:fs'
import { fail, setUp } from './setup.js'

const [source, target] = process.argv.slice(2)
if (!source || !target) fail('name two files: the .tflite that is read and the .onnx that is written')
await setUp()
const { writeOnnx } = await import('../dist/pipeline/detect/convert/onnx-writer.js')
const { readTflite } = await import('../dist/pipeline/detect/convert/tflite-model.js')
const { convertTflite } = await import('../dist/pipeline/detect/convert/tflite-to-onnx.js')
const { chooseNumberFormat } = await import('../dist/pipeline/detect/number-format-choice.js')

try {
  writeFileSync(target, writeOnnx(convertTflite(readTflite(readFileSync(source)), await chooseNumberFormat())))
} catch (error) {
  fail(`${source} cannot be converted: ${error.message}`)
}
