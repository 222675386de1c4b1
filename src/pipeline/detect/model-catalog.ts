import { type Size } from '../../core/detection.ts'
import { cocoClasses } from './coco-classes.ts'
import { efficientdet } from './efficientdet.ts'
import { type ModelClasses, type ModelFamily, type OutputNames, type PictureFormat } from './model-family.ts'

/** What is known of a model before it is loaded. How fast it is depends on the machine, and is measured there. */
export interface ModelCard {
  readonly name: string
  readonly family: ModelFamily
  /** Left out when only the model's file says it. */
  readonly inputSize?: Size | undefined
  readonly picture: PictureFormat
  /** In the order of the model's outputs. */
  readonly classes: ModelClasses
  /** False when the model may have more outputs than these. */
  readonly areAllClasses: boolean
  /** Boxes of one object that overlap by more than this are one; null to keep them all. */
  readonly maxOverlap: number | null
  /** What the graph calls its outputs, by role, where that is not as usual. */
  readonly outputNames: OutputNames
  /** The graph answers boxes in canvas pixels, though its family usually doesn't. */
  readonly isDecoded: boolean
  readonly licence: string
  readonly attribution?: string | undefined
  readonly description?: string | undefined
  readonly accuracy?: ModelAccuracy | undefined
}

export interface ModelAccuracy {
  /** Mean average precision on COCO 2017, in percent, as its authors published it. */
  readonly publishedCocoMap: number
  /** People in PETS 2009 S2.L1 view 1 (795 frames, 4650 people), measured by us at an overlap of 0.5, each 0…1. */
  readonly people: { readonly averagePrecision: number; readonly recallAt30: number; readonly precisionAt30: number }
}

/** A model whose weights come with the service. */
export interface EmbeddedModel extends ModelCard {
  readonly inputSize: Size
  readonly attribution: string
  readonly accuracy: ModelAccuracy
  readonly weights: { readonly file: string; readonly sha256: string }
}

export const embeddedModels: readonly EmbeddedModel[] = [
  efficientdetLite({
    name: 'fast',
    variant: 0,
    side: 320,
    sha256: '2e04c53bfeac0ac2a30c057c7e2a777594ce39baaac35a92f74fb1e8c4fc4e0b',
    accuracy: {
      publishedCocoMap: 25.7,
      people: { averagePrecision: 0.858, recallAt30: 0.866, precisionAt30: 0.848 },
    },
  }),
  efficientdetLite({
    name: 'balanced',
    variant: 1,
    side: 384,
    sha256: '183afa66aad648b0dc16519ae1f55646d9cd38d2b544b917a9ab1da320ebed75',
    accuracy: {
      publishedCocoMap: 30.6,
      people: { averagePrecision: 0.901, recallAt30: 0.901, precisionAt30: 0.894 },
    },
  }),
  efficientdetLite({
    name: 'accurate',
    variant: 2,
    side: 448,
    sha256: '6fd32c84ab1eb0f7e7f3a7a20a20d7df1530daa8378728f7c79571096286bd52',
    accuracy: {
      publishedCocoMap: 34.0,
      people: { averagePrecision: 0.91, recallAt30: 0.924, precisionAt30: 0.881 },
    },
  }),
]

export function findEmbeddedModel(name: string): EmbeddedModel {
  const found = embeddedModels.find((model) => model.name === name)
  if (found) return found
  const known = embeddedModels.map((model) => model.name).join(', ')
  throw new Error(`There is no model "${name}"; choose one of: ${known}.`)
}

interface EfficientdetLite extends Pick<EmbeddedModel, 'name' | 'accuracy'> {
  readonly variant: 0 | 1 | 2
  readonly side: number
  readonly sha256: string
}

function efficientdetLite({ name, variant, side, sha256, accuracy }: EfficientdetLite): EmbeddedModel {
  return {
    name,
    family: efficientdet,
    inputSize: { width: side, height: side },
    picture: efficientdet.picture,
    classes: cocoClasses,
    areAllClasses: true,
    maxOverlap: efficientdet.maxOverlap,
    outputNames: {},
    isDecoded: false,
    licence: 'Apache-2.0',
    attribution: `EfficientDet-Lite${variant} by Google, trained on COCO 2017`,
    accuracy,
    weights: { file: `android/src/main/assets/efficientdet-lite${variant}.tflite`, sha256 },
  }
}
