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
