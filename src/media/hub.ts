import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { createBeginnings } from './beginnings.ts'
import { type Access, type AccessRequest, type Authorize, type PathQuota, type ReaderQuota } from './access.ts'
import { createLivePath, type LivePath, type ReaderPlaces, type StandingAccess } from './live-path.ts'
import { parsePath } from './path.ts'
import { type EndReason, type Publication, type Subscription } from './publication.ts'
import { isLoss, MediaRefusal } from './refusal.ts'
import { type StreamDescription } from './stream.ts'

/**
 * Paths, who publishes to them and who reads them. A protocol server knows the hub and nothing else.
 * Packets go from publisher to readers at once, in the same turn; the hub buffers only the last group
 * of pictures, so that every new reader starts at a keyframe. Whoever publishes or reads is asked about again every few
 * seconds, and ends when its right has.
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
  /** By which rights are asked about again. */
  readonly clock?: Clock
  readonly maxReadersPerPath?: number
}

interface Right {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly request: AccessRequest
}

export function createHub(options: HubOptions): Hub {
  const { authorize, onEvent, now, clock = systemClock, maxReadersPerPath = 1000 } = options
  const paths = new Map<string, LivePath>()
  /** The owners of those paths that count. */
  const owners = new Map<string, string>()
  /** How many read the paths of each owner. */
  const readers = new Map<string, number>()
  const askAgain = ({ action, path, request }: Right) => authorize(action, path, request, true)
  const rights = createStandingRights({
    ask: askAgain,
    isRefusal: isLoss,
    identityOf: ({ action, path, request }: Right) => JSON.stringify([action, path, request]),
    clock,
  })
  const beginnings = createBeginnings()
  let isClosed = false

  async function admit(right: Right): Promise<Access & StandingAccess> {
    const access = await authorize(right.action, right.path, right.request, false)
    const places = placesOf(access.readerQuota)
    if (access.isInternal) return { ...access, places, confirm: async () => {}, hold: () => () => {} }
    return {
      ...access,
      places,
      confirm: async () => void (await askAgain(right)),
      hold: (onLost) => rights.hold(right, onLost),
    }
  }

  /** Readers who are not counted always find one. */
  function placesOf(quota: ReaderQuota | undefined): ReaderPlaces {
    if (!quota) return { check: () => {}, take: () => () => {} }
    const { owner, maxReaders } = quota
    const count = () => readers.get(owner) ?? 0
    function check(): void {
      if (count() < maxReaders) return
      const { message } = new AppError('reader-limit-reached', { username: owner, limit: maxReaders })
      throw new MediaRefusal('limit-reached', message)
    }
    return {
      check,
      take() {
        check()
        readers.set(owner, count() + 1)
        return () => void (count() > 1 ? readers.set(owner, count() - 1) : readers.delete(owner))
      },
    }
  }

  function checkQuota({ owner, maxPaths }: PathQuota, path: string): void {
    const others = [...owners].filter(([taken, by]) => by === owner && taken !== path)
    if (others.length < maxPaths) return
    const { message } = new AppError('published-stream-limit-reached', { username: owner, limit: maxPaths })
    throw new MediaRefusal('limit-reached', message)
  }

  return {
    async publish(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await admit({ action: 'publish', path, request })
      if (isClosed) throw new MediaRefusal('unavailable', 'The server is stopping; try again in a moment.')
      const current = paths.get(path)
      if (current && current.principal !== access.principal) {
        throw new MediaRefusal(
          'path-in-use',
          `Somebody else is publishing to ${path}; stop that first, or choose another path.`,
        )
      }
      // In the same turn as the path is taken, so that nobody slips in between.
      if (access.quota) checkQuota(access.quota, path)
      current?.end('taken-over')
      const live: LivePath = createLivePath({
        path,
        access,
        beginnings,
        now,
        maxReaders: maxReadersPerPath,
        onLive: (description) => onEvent({ type: 'live', path, protocol: request.protocol, description }),
        onEnd(reason) {
          if (paths.get(path) === live) {
            paths.delete(path)
            owners.delete(path)
          }
          if (live.description) onEvent({ type: 'gone', path, reason })
        },
      })
      paths.set(path, live)
      if (access.quota) owners.set(path, access.quota.owner)
      return live.publication
    },
    async subscribe(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await admit({ action: 'read', path, request })
      const live = paths.get(path)
      if (!live?.description)
        throw new MediaRefusal('not-live', `Nothing is being published to ${path} now; start its stream and try again.`)
      return live.subscribe(access)
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
      rights.close()
      for (const live of [...paths.values()]) live.end('server-stopping')
    },
  }
}
