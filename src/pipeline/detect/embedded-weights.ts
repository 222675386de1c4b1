import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NumberFormat } from './convert/number-format.ts'
import { writeOnnx } from './convert/onnx-writer.ts'
import { readTflite } from './convert/tflite-model.ts'
import { CONVERTER_VERSION, convertTflite } from './convert/tflite-to-onnx.ts'
import { cached } from './model-cache.ts'
import { type EmbeddedModel } from './model-card.ts'

const weightsPackage = 'efficientdet-lite-weights'
/** Beside `src/` and `dist/` alike. */
const ownFolder = fileURLToPath(new URL('../../../models/', import.meta.url))

/**
 * The ONNX file of an embedded model: our own as it is, others from the cache in `cacheDir`, or converted from the package's weights to
 * numbers that are fast on this machine.
 */
export async function loadEmbeddedModel(
  model: EmbeddedModel,
  format: NumberFormat,
  cacheDir: string,
): Promise<Uint8Array> {
  const { sha256, from } = model.weights
  if (from === 'repository') return readWeights(ownFolder, model)
  const key = [model.name, sha256.slice(0, 16), `v${CONVERTER_VERSION}`, format.activations, format.weights].join('-')
  return cached(cacheDir, key, async () =>
    writeOnnx(convertTflite(readTflite(await readWeights(packageFolder(), model)), format)),
  )
}

async function readWeights(folder: string, model: EmbeddedModel): Promise<Buffer> {
  const weights = await readFile(join(folder, model.weights.file))
  checkWeights(weights, model)
  return weights
}

/** Refuses weights that are not the very ones that the catalogue's figures were measured with. */
export function checkWeights(weights: Uint8Array, { name, weights: { sha256, file, from } }: EmbeddedModel): void {
  const found = createHash('sha256').update(weights).digest('hex')
  if (found === sha256) return
  const remedy = from === 'package' ? `install the package ${weightsPackage} again` : 'install Aerie again'
  throw new Error(
    `The weights of the model "${name}" (${file}) have the checksum ${found} instead of ${sha256}; ${remedy}.`,
  )
}

function packageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve(`${weightsPackage}/package.json`))
}
