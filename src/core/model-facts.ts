/** `beta`: good on what it was measured on, which was little; `experimental`: may disappoint, and may change. */
export type ModelStatus = 'stable' | 'beta' | 'experimental'

export interface ModelAccuracy {
  /** Mean average precision on COCO 2017, in percent, as its authors published it. */
  readonly publishedCocoMap: number | null
  /** People in PETS 2009 S2.L1 view 1 (795 frames, 4650 people), measured by us at an overlap of 0.5, each 0…1. */
  readonly people: {
    readonly averagePrecision: number
    readonly recallAt30: number
    readonly precisionAt30: number
  } | null
  readonly measured: readonly MeasuredAccuracy[]
}

/** Average precision at an overlap of 0.5 on pictures that the model was not trained on, 0…1. */
export interface MeasuredAccuracy {
  readonly on: string
  readonly byClass: Readonly<Record<string, number>>
}

/** Milliseconds for one look on two idle cores of a Neoverse-N1, so that models can be compared before they are used. */
export interface ReferenceSpeed {
  readonly oneThreadMs: number
  readonly twoThreadsMs: number
}
