import { cocoClasses } from './coco-classes.ts'
import { efficientdet } from './efficientdet.ts'
import { type ModelAccuracy } from '../../core/model-facts.ts'
import { type EmbeddedModel } from './model-card.ts'

/** Detectors for the 80 classes of COCO: people, vehicles and things as one sees them from the ground or from a low height. */
export const cocoModels: readonly EmbeddedModel[] = [
  efficientdetLite({
    name: 'fast',
    variant: 0,
    side: 320,
    speed: { oneThreadMs: 40, twoThreadsMs: 25 },
    sha256: '2e04c53bfeac0ac2a30c057c7e2a777594ce39baaac35a92f74fb1e8c4fc4e0b',
    useWhen:
      'Ordinary video from the ground or from a low height, where speed counts: several streams, small computers.',
    publishedCocoMap: 25.7,
    people: { averagePrecision: 0.858, recallAt30: 0.866, precisionAt30: 0.848 },
  }),
  efficientdetLite({
    name: 'balanced',
    variant: 1,
    side: 384,
    speed: { oneThreadMs: 77, twoThreadsMs: 45 },
    sha256: '183afa66aad648b0dc16519ae1f55646d9cd38d2b544b917a9ab1da320ebed75',
    useWhen: 'Ordinary video from the ground or from a low height, when `fast` misses too much.',
    publishedCocoMap: 30.6,
    people: { averagePrecision: 0.901, recallAt30: 0.901, precisionAt30: 0.894 },
  }),
  efficientdetLite({
    name: 'accurate',
    variant: 2,
    side: 448,
    speed: { oneThreadMs: 122, twoThreadsMs: 69 },
    sha256: '6fd32c84ab1eb0f7e7f3a7a20a20d7df1530daa8378728f7c79571096286bd52',
    useWhen: 'Ordinary video from the ground or from a low height, where accuracy counts more than pictures a second.',
    publishedCocoMap: 34.0,
    people: { averagePrecision: 0.91, recallAt30: 0.924, precisionAt30: 0.881 },
  }),
]

interface EfficientdetLite extends Pick<EmbeddedModel, 'name' | 'useWhen' | 'speed'>, Omit<ModelAccuracy, 'measured'> {
  readonly variant: 0 | 1 | 2
  readonly side: number
  readonly sha256: string
}

function efficientdetLite(model: EfficientdetLite): EmbeddedModel {
  const { name, variant, side, speed, sha256, useWhen, publishedCocoMap, people } = model
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
    status: 'stable',
    useWhen,
    accuracy: { publishedCocoMap, people, measured: [] },
    speed,
    // COCO calls things up to 32 pixels small; its detectors begin to be sure somewhat above. A person is 1.7 m by 0.5 m.
    trainedSize: { objectM: 0.9, minPx: 28, maxPx: 90 },
    weights: { from: 'package', file: `android/src/main/assets/efficientdet-lite${variant}.tflite`, sha256 },
  }
}
