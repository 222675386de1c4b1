import { cameraFaultFor } from '../core/camera-fault.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { toMediaPath } from '../core/media-path.ts'
import { createCatchUpQueue } from './catch-up-queue.ts'
import { type Access, type AccessRequest, type Authorize } from './access.ts'
import { createHeldGroups, type HeldGroups } from './held-groups.ts'
import { type Admitted, createHubAdmission, relayAccess } from './hub-admission.ts'
import { createLivePath, type LivePath } from './live-path.ts'
import { createOwnerQuotas } from './owner-quotas.ts'
import { type EndReason, type Publication, type Subscription } from './publication.ts'
import { MediaRefusal } from './refusal.ts'
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
  /**
   * Takes a path for what is live on another node, unless it is published here. A relay gives way to any publisher, counts against
   * nobody's quota, and is reported to `onRelay` alone.
   */
  relay(path: string): Publication
  /** Reads for another node: only what is published here, or a camera that we call ourselves. So a relay is never relayed. */
  readForRelay(path: string): Promise<Subscription>
  /** Ends a publication: of a relay that nobody reads, or because the path is another node's now. */
  end(path: string, reason: EndReason): void
  /** Somebody publishes it, live or about to be; a relay is nobody. */
  isPublished(path: string): boolean
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
  readonly isRelay: boolean
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
      readonly principal: string
      readonly description: StreamDescription
    }
  | { readonly type: 'gone'; readonly path: string; readonly reason: EndReason }

export interface HubOptions {
  readonly authorize: Authorize
  readonly onEvent: (event: HubEvent) => void
  /** The same of relays. */
  readonly onRelay?: (event: HubEvent) => void
  /** A publisher was admitted and has never been live: it was refused after all, or has left before. Once for each. */
  readonly onUnused?: (path: string) => void
  /**
   * Connects the camera that is published under this path, or has the path relayed from the node where it is live, unless it is for
   * a relay; undefined where there is neither. Rejects with a `MediaRefusal` that says what is wrong.
   */
  readonly wake?: (path: string, isForRelay: boolean) => Promise<void> | undefined
  /** Times packets, and the repeated checks of rights. */
  readonly clock?: Clock
  readonly maxReadersPerPath?: number
  readonly heldGroups?: HeldGroups
}

export function createHub(options: HubOptions): Hub {
  const { authorize, onEvent, onRelay = () => {}, onUnused = () => {}, wake = () => undefined } = options
  const { clock = systemClock, maxReadersPerPath = 1000, heldGroups = createHeldGroups() } = options
  const now = () => clock.steady()
  const paths = new Map<string, LivePath>()
  const videoTimes = new Map<string, number>()
  const quotas = createOwnerQuotas()
  const admission = createHubAdmission(authorize, quotas, clock)
  const relays = relayAccess(quotas)
  const catchUpQueue = createCatchUpQueue()
  let isClosed = false

  /** Nothing is awaited between its checks and taking the path, so that no other publisher gets in between. */
  function take(path: string, access: Admitted, protocol: AccessRequest['protocol']): Publication {
    if (isClosed) throw new MediaRefusal('unavailable', 'The server is stopping; try again in a moment.')
    const current = paths.get(path)
    if (current && !givesWayTo(current, access)) throw pathInUse(path)
    quotas.checkPath(path, access.quota)
    current?.end('taken-over')
    const { principal, isRelay = false } = access
    const report = isRelay ? onRelay : onEvent
    const live: LivePath = createLivePath({
      path,
      access,
      catchUpQueue,
      heldGroups,
      now,
      maxReaders: maxReadersPerPath,
      onLive: (description) => report({ type: 'live', path, protocol, principal, description }),
      onVideo: (receivedAtMs) => void (isRelay || videoTimes.set(path, receivedAtMs)),
      onEnd(reason) {
        if (paths.get(path) === live) {
          paths.delete(path)
          quotas.releasePath(path)
        }
        if (live.description) report({ type: 'gone', path, reason })
        else if (!isRelay) onUnused(path)
      },
    })
    paths.set(path, live)
    quotas.takePath(path, access.quota)
    return live.publication
  }

  async function read(path: string, access: Admitted, onCameraCalled?: () => void): Promise<Subscription> {
    const awake = wake(path, access.isRelay === true)
    if (awake) onCameraCalled?.()
    await awake?.catch((error: unknown) => {
      throw refusalFor(access, error)
    })
    const live = paths.get(path)
    if (!live?.description || (live.isRelay && access.isRelay))
      throw new MediaRefusal(
        'not-live',
        `Nothing is being published to ${path} now; start its stream and try again.`,
        access,
      )
    return live.subscribe(access)
  }

  return {
    async publish(rawPath, request) {
      const path = parsePath(rawPath)
      const access = await admission.admit('publish', path, request)
      try {
        return take(path, access, request.protocol)
      } catch (error) {
        if (!access.isRelay) onUnused(path)
        throw error
      }
    },
    async subscribe(rawPath, request, onCameraCalled) {
      const path = parsePath(rawPath)
      return read(path, await admission.admit('read', path, request), onCameraCalled)
    },
    relay: (path) => take(path, relays, 'rtsp'),
    readForRelay: (path) => read(path, relays),
    end: (path, reason) => paths.get(path)?.end(reason),
    isPublished: (path) => paths.get(path)?.isRelay === false,
    list() {
      return [...paths].map(([path, { description, isRelay, readerCount }]) => ({
        path,
        isLive: description !== undefined,
        isRelay,
        readers: readerCount,
      }))
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
      admission.close()
      for (const live of [...paths.values()]) live.end('server-stopping')
    },
  }
}

/** To the same publisher, which has come again; and what is published here is the original of any relay. */
function givesWayTo(current: LivePath, { principal, isRelay = false }: Admitted): boolean {
  return isRelay ? current.isRelay : current.isRelay || current.principal === principal
}

function pathInUse(path: string): MediaRefusal {
  const { message } = new AppError('stream-path-in-use', { path })
  return new MediaRefusal('path-in-use', message)
}

/** The stream that a client names, or a refusal that explains what names look like. */
export function parsePath(raw: string): string {
  const path = toMediaPath(raw)
  if (path) return path
  throw new MediaRefusal('path-invalid', 'A stream path is <username>/<name>, of letters, digits and ._~- only.')
}

/** Why there is no video of a camera, as this reader may know it; those for whom our own workers read are answered elsewhere. */
function refusalFor(reader: Access, error: unknown): unknown {
  const isOfCamera = error instanceof MediaRefusal && /^camera-/.test(error.reason)
  if (reader.isInternal || !isOfCamera) return error
  return new MediaRefusal(error.reason, cameraFaultFor(reader, error.message))
}
