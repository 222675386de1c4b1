import { cameraFaultFor } from '../core/camera-fault.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { toMediaPath } from '../core/media-path.ts'
import { createStandingRights } from '../core/standing-rights.ts'
import { createCatchUpQueue } from './catch-up-queue.ts'
import { type Access, type AccessRequest, type Authorize } from './access.ts'
import { createHeldGroups, type HeldGroups } from './held-groups.ts'
import { createLivePath, type LivePath, type StandingAccess } from './live-path.ts'
import { createOwnerQuotas } from './owner-quotas.ts'
import { type EndReason, type Publication, type Subscription } from './publication.ts'
import { isLoss, MediaRefusal } from './refusal.ts'
import { type StreamDescription } from './stream.ts'

/**
 * Paths, their publishers and their readers. A protocol server knows the hub and nothing else.
 * Packets go from publisher to readers synchronously; the hub buffers only the last group
 * of pictures, so that every new reader starts at a keyframe. The rights of publishers and readers are checked again every few
 * seconds, and they are ended when their right has.
 */
export interface Hub {
  /** Takes a path. A second publisher is refused, unless it is the same one reconnecting: then it takes over. */
  publish(rawPath: string, request: AccessRequest): Promise<Publication>
  /**
   * Finds a live stream, or a camera that is connected on demand. Nothing flows until `start`. `onCameraCalled` is called when the client may
   * read, and the camera is being called for it.
   */
  subscribe(rawPath: string, request: AccessRequest, onCameraCalled?: () => void): Promise<Subscription>
  /** Every path that has a publisher, live or about to be. */
  list(): readonly PathStatus[]
  /** How many read this path now. */
  readerCount(path: string): number
  /** Which paths got video since this was asked last, and when the last of it came; also paths that have ended meanwhile. */
  takeVideoTimes(): readonly VideoTime[]
  /** Ends all that this principal publishes and reads: it has lost its rights. */
  expel(principal: string): void
  /** Ends every publication and subscription. */
  close(): void
}

export interface PathStatus {
  readonly path: string
  readonly isLive: boolean
  readonly readers: number
}

export interface VideoTime {
  readonly path: string
  /** On the hub's steady clock. */
  readonly atMs: number
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
  /**
   * Connects the camera that is published under this path; undefined where there is none. Rejects with a `MediaRefusal` that says
   * what is wrong with it.
   */
  readonly wake?: (path: string) => Promise<void> | undefined
  /** Times packets, and the repeated checks of rights. */
  readonly clock?: Clock
  readonly maxReadersPerPath?: number
  readonly heldGroups?: HeldGroups
}

interface Right {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly request: AccessRequest
}

export function createHub(options: HubOptions): Hub {
  const { authorize, onEvent, wake = () => undefined, clock = systemClock, maxReadersPerPath = 1000 } = options
  const { heldGroups = createHeldGroups() } = options
  const now = () => clock.steady()
  const paths = new Map<string, LivePath>()
  const videoTimes = new Map<string, number>()
  const quotas = createOwnerQuotas()
  const askAgain = ({ action, path, request }: Right) => authorize(action, path, request, true)
  const rights = createStandingRights({
    ask: askAgain,
    isRefusal: isLoss,
    identityOf: ({ action, path, request }: Right) => JSON.stringify([action, path, request]),
    clock,
  })
  const catchUpQueue = createCatchUpQueue()
  let isClosed = false

  async function admit(right: Right): Promise<Access & StandingAccess> {
    const access = await authorize(right.action, right.path, right.request, false)
    const readerSlots = quotas.readerSlots(access.readerQuota)
    if (access.isInternal) return { ...access, readerSlots, confirm: async () => {}, hold: () => () => {} }
    return {
      ...access,
      readerSlots,
      confirm: async () => void (await askAgain(right)),
      hold: (onLost) => rights.hold(right, onLost),
    }
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
      // Nothing is awaited between this check and taking the path, so that no other publisher gets in between.
      quotas.checkPath(path, access.quota)
      current?.end('taken-over')
      const live: LivePath = createLivePath({
        path,
        access,
        catchUpQueue,
        heldGroups,
        now,
        maxReaders: maxReadersPerPath,
        onLive: (description) => onEvent({ type: 'live', path, protocol: request.protocol, description }),
        onVideo: (receivedAtMs) => void videoTimes.set(path, receivedAtMs),
        onEnd(reason) {
          if (paths.get(path) === live) {
            paths.delete(path)
            quotas.releasePath(path)
          }
          if (live.description) onEvent({ type: 'gone', path, reason })
        },
      })
      paths.set(path, live)
      quotas.takePath(path, access.quota)
      return live.publication
    },
    async subscribe(rawPath, request, onCameraCalled) {
      const path = parsePath(rawPath)
      const access = await admit({ action: 'read', path, request })
      const awake = wake(path)
      if (awake) onCameraCalled?.()
      await awake?.catch((error: unknown) => {
        throw refusalFor(access, error)
      })
      const live = paths.get(path)
      if (!live?.description)
        throw new MediaRefusal(
          'not-live',
          `Nothing is being published to ${path} now; start its stream and try again.`,
          access,
        )
      return live.subscribe(access)
    },
    list() {
      return [...paths].map(([path, live]) => ({ path, isLive: !!live.description, readers: live.readerCount }))
    },
    takeVideoTimes() {
      const taken = [...videoTimes].map(([path, atMs]) => ({ path, atMs }))
      videoTimes.clear()
      return taken
    },
    readerCount: (path) => paths.get(path)?.readerCount ?? 0,
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

/** The stream that a client names, or a refusal that explains what names look like. */
export function parsePath(raw: string): string {
  const path = toMediaPath(raw)
  if (path) return path
  throw new MediaRefusal('path-invalid', 'A stream path is <username>/<name>, of letters, digits and ._~- only.')
}

/** Why there is no video of a camera, as this reader may know it; those for whom our own workers read are answered elsewhere. */
function refusalFor(reader: Access, error: unknown): unknown {
  if (reader.isInternal || !(error instanceof MediaRefusal)) return error
  return new MediaRefusal(error.reason, cameraFaultFor(reader, error.message))
}
