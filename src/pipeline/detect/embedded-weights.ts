import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type NumberFormat } from './convert/number-format.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { readTflite } from './convert/tflite-model.ts'
import { converterVersion, convertTflite } from './convert/tflite-to-onnx.ts'
import { cached } from './model-cache.ts'
import { type EmbeddedModel } from './model-catalog.ts'

const weightsPackage = 'efficientdet-lite-weights'

/** The ONNX file of an embedded model: from the cache in `cacheDir`, or converted from the package's weights. */
export function loadEmbeddedModel(model: EmbeddedModel, format: NumberFormat, cacheDir: string): Promise<Uint8Array> {
  const { sha256, file } = model.weights
  const key = [model.name, sha256.slice(0, 16), `v${converterVersion}`, format.activations, format.weights].join('-')
  return cached(cacheDir, key, async () => {
    const weights = await readFile(join(packageFolder(), file))
    checkWeights(weights, model)
    return writeOnnx(convertTflite(readTflite(weights), format))
  })
}

/** Refuses weights that are not the very ones that the catalogue's figures were measured with. */
export function checkWeights(weights: Uint8Array, { name, weights: { sha256, file } }: EmbeddedModel): void {
  const found = createHash('sha256').update(weights).digest('hex')
  if (found === sha256) return
  throw new Error(
    `The weights of the model "${name}" (${file}) have the checksum ${found} instead of ${sha256}; ` +
      `install the package ${weightsPackage} again.`,
  )
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(`${weightsPackage}/package.json`))
}
