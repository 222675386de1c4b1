import { type ProcessRef } from './process-ref.ts'

/** What others may want to know of a process that goes on. */
export interface ProcessFacts extends ProcessRef {
  readonly isTracking: boolean
  /** Pictures of tracks are made. */
  readonly keepsPictures: boolean
  /** The only classes that it looks for; null for all of its model. */
  readonly classes: readonly string[] | null
}
