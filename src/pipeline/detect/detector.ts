import { type Detection, type Size } from '../../core/detection.ts'
import { loadEmbeddedModel } from './embedded-weights.ts'
import { type Letterbox } from './letterbox.ts'
import { findEmbeddedModel, type ModelCard } from './model-catalog.ts'
import { chooseNumberFormat } from './number-format-choice.ts'
import { openSession } from './onnx-session.ts'

/** What every model becomes: pictures in, detections out. */
export interface Detector {
  readonly name: string
  readonly inputSize: Size
  /** The value, in all three channels, of the canvas beside the picture. */
  readonly padding: number
  /**
   * Finds objects on `canvas`: RGB, 3 bytes a pixel, `inputSize` large, no gaps between lines. The picture lies on it
   * as `letterbox` says. One call at a time; the canvas may be used again once the promise has settled.
   */
  detect(canvas: Uint8Array, letterbox: Letterbox): Promise<Detection[]>
  /** Resolves when the model is released; waits for a detection that is under way. */
  close(): Promise<void>
}

export interface DetectorOptions {
  /** The name of a model in the catalogue. */
  readonly model: string
  /** Where converted models are kept; is made if need be. */
  readonly cacheDir: string
  /** How many cores one detection uses; 1 by default. */
  readonly threads?: number
  /** 0…1: what is less certain is left out. Lower finds more, and more that is not there. */
  readonly confidence: number
  /** Names of the only classes that are wanted; all when left out. */
  readonly classes?: readonly string[]
}

export async function createDetector(options: DetectorOptions): Promise<Detector> {
  const { cacheDir, threads = 1, confidence, classes: wanted } = options
  if (!(confidence >= 0 && confidence <= 1)) throw new Error(`The confidence ${confidence} is not between 0 and 1.`)
  const model = findEmbeddedModel(options.model)
  checkClasses(wanted ?? [], model)
  const decode = model.family.createDecoder({ classes: model.classes, confidence, wanted, canvas: model.inputSize })
  const format = await chooseNumberFormat()
  const session = await openSession({ model: await loadEmbeddedModel(model, format, cacheDir), threads })

  return {
    name: model.name,
    inputSize: model.inputSize,
    padding: model.family.padding,
    detect: async (canvas, letterbox) => decode(await session.run(canvas), letterbox),
    close: () => session.close(),
  }
}

function checkClasses(wanted: readonly string[], { name, classes }: ModelCard): void {
  const known = classes.flatMap((entry) => entry?.name ?? [])
  const unknown = wanted.filter((className) => !known.includes(className))
  if (unknown.length === 0) return
  throw new Error(`The model "${name}" does not know ${unknown.join(', ')}; it knows: ${known.join(', ')}.`)
}
