import { type AccessRequest, type Authorize } from './access.ts'
import { createLivePath, type LivePath } from './live-path.ts'
import { parsePath } from './path.ts'
import { type EndReason, type Publication, type Subscription } from './publication.ts'
import { MediaRefusal } from './refusal.ts'
import { type StreamDescription } from './stream.ts'

/**
 * Paths, who publishes to them and who reads them. A protocol server knows the hub and nothing else.
 * Packets go from publisher to readers at once, in the same turn; the hub buffers only the last group
 * of pictures, so that every new reader starts at a keyframe.
 */
export interface Hub {
  /** Takes a path. A second publisher is refused, unless it is the same one coming back: then it takes over. */
  publish(rawPath: string, request: AccessRequest): Promise<Publication>
  /** Finds a live stream. Nothing flows until `start`. */
  subscribe(rawPath: string, request: AccessRequest): Promise<Subscription>
  /** Every path that somebody has taken, live or about to be. */
  list(): readonly PathStatus[]
  /** Ends whatever this principal publishes or reads: it has lost its rights. */
  expel(principal: string): void
  /** Ends every publication and subscription. */
  close(): void
}

export interface PathStatus {
  readonly path: string
  readonly isLive: boolean
  readonly readers: number
}

export type HubEvent =
  | {
      readonly type: 'live'
      readonly path: string
      readonly protocol: AccessRequest['protocol']
      readonly description: StreamDescription
    }
  | { readonly type: 'gone'; readonly path: string; readonly reason: EndReason }

export interface HubOptions {
  readonly authorize: Authorize
  readonly onEvent: (event: HubEvent) => void
  readonly now: () => number
  readonly maxReadersPerPath?: number
}

export function createHub({ authorize, onEvent, now, maxReadersPerPath = 1000 }: HubOptions): Hub {
  const paths = new Map<string, LivePath>()
  let isClosed = false

  return {
    async publish(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await authorize('publish', path, request)
      if (isClosed) throw new MediaRefusal('unavailable', 'The server is stopping.')
      const current = paths.get(path)
      if (current && current.principal !== access.principal) {
        throw new MediaRefusal('path-in-use', `Somebody else is publishing to ${path}.`)
      }
      current?.end('taken-over')
      const live: LivePath = createLivePath({
        path,
        principal: access.principal,
        now,
        maxReaders: maxReadersPerPath,
        onLive: (description) => onEvent({ type: 'live', path, protocol: request.protocol, description }),
        onEnd(reason) {
          if (paths.get(path) === live) paths.delete(path)
          if (live.description) onEvent({ type: 'gone', path, reason })
        },
      })
      paths.set(path, live)
      return live.publication
    },
    async subscribe(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await authorize('read', path, request)
      const live = paths.get(path)
      if (!live?.description) throw new MediaRefusal('not-live', `Nobody is publishing to ${path}.`)
      return live.subscribe(access.principal)
    },
    list() {
      return [...paths].map(([path, live]) => ({ path, isLive: !!live.description, readers: live.readerCount }))
    },
    expel(principal) {
      for (const live of [...paths.values()]) {
        if (live.principal === principal) live.end('expelled')
        else live.expelReaders(principal)
      }
    },
    close() {
      isClosed = true
      for (const live of [...paths.values()]) live.end('server-stopping')
    },
  }
}
