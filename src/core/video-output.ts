import { type HubPath } from './hub-path.ts'

/** Processed video that a process sends somewhere. */
export interface VideoOutput {
  readonly id: string
  /** Lines of the picture; null for the input's own. */
  readonly lines: number | null
  readonly target: VideoTarget
}

export type VideoTarget =
  | HubPath
  /** Somebody's server. */
  | { readonly kind: 'rtmp'; readonly url: string }
  /** A folder that is kept. */
  | { readonly kind: 'recording'; readonly folder: string }
