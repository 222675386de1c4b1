import { type InferenceProvider } from '../core/inference-provider.ts'
import { type ModelAccuracy, type ModelStatus, type ReferenceSpeed } from '../core/model-facts.ts'

/** What users can read about a detector before they choose it. */
export interface ModelSummary {
  readonly name: string
  readonly family: string
  /** False for those that come with the service. */
  readonly isBrought: boolean
  /** What computes it. */
  readonly provider: InferenceProvider
  /** Null when it is known only once the model is loaded. */
  readonly input: { readonly width: number; readonly height: number } | null
  readonly licence: string
  readonly attribution: string | null
  readonly description: string | null
  readonly classes: readonly { readonly id: number; readonly name: string }[]
  /** Null when nobody has measured it. */
  readonly accuracy: ModelAccuracy | null
  /** Null when nobody has measured it. */
  readonly speed: ReferenceSpeed | null
  /** Null for those that users bring. */
  readonly status: ModelStatus | null
  /** For what it is the right choice. */
  readonly useWhen: string | null
  /** What suits it as `tiles`, and is taken when they are left out. */
  readonly suggestedTiles: 'auto' | '1x1'
}
