import { type Detection, type Size } from '../../core/detection.ts'
import { EMBEDDED_PROVIDER, type InferenceProvider } from '../../core/inference-provider.ts'
import { DEFAULT_SIZES } from '../../core/object-size.ts'
import { type UserModel, findModel } from './user-models.ts'
import { loadEmbeddedModel } from './embedded-weights.ts'
import { type Fit, type Letterbox } from './letterbox.ts'
import { type EmbeddedModel, type ModelCard, type TrainedSize } from './model-card.ts'
import { chooseNumberFormat } from './number-format-choice.ts'
import { openSession } from './onnx-session.ts'
import { planPicture } from './session-plan.ts'

/** What every model becomes: pictures in, detections out. */
export interface Detector {
  readonly name: string
  readonly inputSize: Size
  /** The value, in all three channels, of the canvas beside the picture. */
  readonly padding: number
  /** How the picture lies on the canvas. */
  readonly fit: Fit
  /** How large it wants things to be; undefined where nobody knows. */
  readonly trainedSize: TrainedSize | undefined
  /** See `ModelCard`. */
  readonly maxCovered?: number | undefined
  readonly wantedDetail?: number | undefined
  readonly suggestedTiles?: 'auto' | undefined
  /** Nothing that it detects flies. */
  readonly isOnGround: boolean
  /**
   * Finds objects on `canvas`: RGB, 3 bytes a pixel, `inputSize` large, no gaps between lines. The picture lies on it
   * as `letterbox` says. One call at a time; the canvas may be used again once the promise has settled.
   */
  detect(canvas: Uint8Array, letterbox: Letterbox): Promise<Detection[]>
  /** Resolves when the model is released; waits for a detection that is under way. */
  close(): Promise<void>
}

export interface DetectorOptions {
  /** The name of an embedded model, or of one in `modelsDir`. */
  readonly model: string
  /** Where the models are that users bring; none when left out. */
  readonly modelsDir?: string | undefined
  /** Where converted models are kept; is made if need be. */
  readonly cacheDir: string
  /** How many cores one detection uses; 1 by default. */
  readonly threads?: number
  /** What computes the models that users bring; the CPU by default. */
  readonly provider?: InferenceProvider
  /** 0…1: what is less certain is left out. Lower finds more, and more that is not there. */
  readonly confidence: number
  /** Names of the only classes that are wanted; all when left out. */
  readonly classes?: readonly string[]
}

export async function createDetector(options: DetectorOptions): Promise<Detector> {
  const { cacheDir, modelsDir, threads = 1, provider, confidence, classes: wanted } = options
  if (!(confidence >= 0 && confidence <= 1)) throw new Error(`The confidence ${confidence} is not between 0 and 1.`)
  const model = await findModel(options.model, modelsDir)
  checkClasses(wanted ?? [], model)
  const { name, family, picture } = model

  const weights = 'weights' in model ? await loadWeights(model, cacheDir) : model.file
  const session = await openSession({
    model: weights,
    threads,
    provider: 'weights' in model ? EMBEDDED_PROVIDER : provider,
    plan: (graph) =>
      planPicture(graph, picture, model.inputSize, family.chooseOutputs(graph.outputs, model.outputNames)),
  }).catch((error: unknown) => {
    throw unusable(model, error)
  })
  try {
    const { size } = session.plan
    const decode = family.createDecoder({ ...model, outputs: session.outputs, confidence, wanted, canvas: size })
    return {
      name,
      inputSize: size,
      padding: picture.padding,
      fit: picture.fit,
      trainedSize: model.trainedSize,
      maxCovered: model.maxCovered,
      wantedDetail: model.wantedDetail,
      suggestedTiles: model.suggestedTiles,
      isOnGround: isOnGround(wanted ?? namesOf(model)),
      detect: async (canvas, letterbox) => decode(await session.run(canvas), letterbox),
      close: () => session.close(),
    }
  } catch (error) {
    await session.close()
    throw unusable(model, error)
  }
}

async function loadWeights(model: EmbeddedModel, cacheDir: string): Promise<Uint8Array> {
  return loadEmbeddedModel(model, await chooseNumberFormat(), cacheDir)
}

function unusable(model: EmbeddedModel | UserModel, error: unknown): Error {
  const reason = (error as Error).message
    .replace(/^The model cannot be loaded: /, '')
    // Where in ONNX Runtime's own source it was found helps nobody.
    .replace(/\/onnxruntime_src\/\S+ [^()]*\([^()]*\)( const)? /g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(?<![. ])[. ]+$/, '')
  // Users of the API need not know where the operator keeps things.
  const shown = 'file' in model ? reason.replaceAll(model.file, 'model.onnx') : reason
  return new Error(`The model "${model.name}" cannot be used as ${model.family.name}: ${shown}.`, { cause: error })
}

function namesOf({ classes }: ModelCard): string[] {
  return classes.flatMap((entry) => entry?.name ?? [])
}

/** Of names that nobody knows it is not believed. */
function isOnGround(names: readonly string[]): boolean {
  return names.every((name) => DEFAULT_SIZES[name]?.is_flying === false)
}

function checkClasses(wanted: readonly string[], model: ModelCard): void {
  const { name } = model
  const known = namesOf(model)
  const unknown = wanted.filter((className) => !known.includes(className))
  if (unknown.length === 0) return
  throw new Error(`The model "${name}" does not know ${unknown.join(', ')}; it knows: ${known.join(', ')}.`)
}
