/** What users are told of a detector before they choose it. */
export interface ModelSummary {
  readonly name: string
  readonly family: string
  readonly inputWidth: number
  readonly inputHeight: number
  readonly licence: string
  readonly attribution: string
  readonly classes: readonly { readonly id: number; readonly name: string }[]
  readonly accuracy: {
    readonly publishedCocoMap: number
    readonly people: { readonly averagePrecision: number; readonly recallAt30: number; readonly precisionAt30: number }
  }
}
