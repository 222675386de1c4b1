import { type VideoTarget } from '../../core/video-output.ts'

/** All that there is to say about one type of output, on this side of the worker; `kinds.ts` lists them. */
export interface OutputKind {
  /** Its name in the API. */
  readonly type: string
  /** For processes whose source has telemetry only. */
  readonly needsTelemetry: boolean
  /** How video is sent; null for the websockets, which clients open by themselves. */
  readonly video: VideoKind | null
}

/** Outputs that send video have an address. */
export interface VideoKind {
  readonly example: string
  /** Half a sentence for the API's documentation: the form of the address, and what becomes of it. */
  readonly description: string
  /** A sentence about what is wrong with an address; undefined when nothing is. */
  problemWith(url: string): string | undefined
  /** Several ways to write one address are one output. */
  normalize(url: string): string
  /** The path on our media server that it publishes to; null for a server elsewhere, undefined when it would be too long. */
  mediaPathOf(username: string, url: string): string | null | undefined
  /** The host that is called for its owner; null when none is. */
  hostOf(url: string): string | null
  targetOf(address: VideoAddress): VideoTarget
}

export interface VideoAddress {
  readonly url: string
  readonly mediaPath: string | null
}
