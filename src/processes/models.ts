/** What users are told of a detector before they choose it. */
export interface ModelSummary {
  readonly name: string
  readonly family: string
  /** False for those that come with the service. */
  readonly isBrought: boolean
  /** Null when it is known only once the model is loaded. */
  readonly input: { readonly width: number; readonly height: number } | null
  readonly licence: string
  readonly attribution: string | null
  readonly description: string | null
  readonly classes: readonly { readonly id: number; readonly name: string }[]
  /** Null when nobody has measured it. */
  readonly accuracy: {
    readonly publishedCocoMap: number | null
    readonly people: {
      readonly averagePrecision: number
      readonly recallAt30: number
      readonly precisionAt30: number
    } | null
    readonly measured: readonly { readonly on: string; readonly byClass: Readonly<Record<string, number>> }[]
  } | null
  /** Milliseconds for one look on two idle cores of a Neoverse-N1; null when nobody has measured it. */
  readonly speed: { readonly oneThreadMs: number; readonly twoThreadsMs: number } | null
  /** Null for those that users bring. */
  readonly status: 'stable' | 'beta' | 'experimental' | null
  /** For what it is the right choice. */
  readonly useWhen: string | null
  /** What suits it as `tiles`, and is taken when they are left out. */
  readonly suggestedTiles: 'auto' | '1x1'
}
