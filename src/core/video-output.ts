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

/** `waiting` is between two tries. */
export type OutputState = 'connecting' | 'sending' | 'waiting'

/** How it stands with an output. */
export interface OutputStatus {
  readonly state: OutputState
  /** What is wrong. */
  readonly error: string | null
}

/** A path of our own media server that the worker of a process reads, or publishes to. */
export interface HubPath {
  readonly kind: 'hub'
  readonly path: string
  /** With a token that was made for one worker: added on the way to it, and known to nobody else. */
  readonly url?: string
}

export function grantedUrl({ path, url }: HubPath): string {
  if (url === undefined) throw new Error(`No access to ${path} was granted.`)
  return url
}
