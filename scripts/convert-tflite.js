// `node scripts/convert-tflite.js IN.tflite OUT.onnx`: an EfficientDet-Lite (int8) of your own as the ONNX file that the
// family `efficientdet` takes, in the number format in which this machine computes fast.
import { readFileSync, writeFileSync } from 'node:fs'
import { fail, setUp } from './setup.js'

const [source, target] = process.argv.slice(2)
if (!source || !target) fail('name two files: the .tflite that is read and the .onnx that is written')
await setUp()
const { importBundled } = await import('./bundle.js')
const { chooseNumberFormat, convertTflite, readTflite, writeOnnx } = await importBundled(
  'pipeline/detect/convert/onnx-writer',
  'pipeline/detect/convert/tflite-model',
  'pipeline/detect/convert/tflite-to-onnx',
  'pipeline/detect/number-format-choice',
)

try {
  writeFileSync(target, writeOnnx(convertTflite(readTflite(readFileSync(source)), await chooseNumberFormat())))
} catch (error) {
  fail(`${source} cannot be converted: ${error.message}`)
}
