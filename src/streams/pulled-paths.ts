import { randomBytes } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { once } from '../core/once.ts'
import { type PullOrder, type PullState, type ToMediaServer } from '../media/messages.ts'
import { type TokenIssuer } from './path-tokens.ts'

/** A camera that the media server is to call. */
export interface PulledCamera extends Omit<PullOrder, 'token'> {
  /** Its stream ends with this account's key. */
  readonly accountId: string
}

/** How it goes with a camera that we call. */
export interface PullStatus {
  readonly state: PullState['state']
  /** When it got into that state; of one that is lost, when that was first noticed, however often it was called since. */
  readonly since: number
  /** The last failure, kept while the camera is tried again and after it has come back. */
  readonly lastError: { readonly sentence: string; readonly at: number } | null
}

/** Paths whose streams we fetch ourselves, and nobody else publishes to. */
export interface PulledPaths {
  /** Again with another camera: that one counts. */
  set(path: string, camera: PulledCamera): void
  remove(path: string): void
  /** Somebody waits for the camera that is, or will be, here: it is called until they let go. Returns how. */
  hold(path: string): () => void
  /** Those that somebody waits for now, whichever node calls them. */
  listHeld(): readonly string[]
  /** Somebody has begun to wait. */
  onHold(handler: (path: string) => void): void
  has(path: string): boolean
  find(path: string): PullStatus | undefined
  /** Another object whenever it has changed. */
  listStatuses(): readonly { readonly path: string; readonly status: PullStatus }[]
}

/** The side of the media server's process: what it must know of them, and what it reports. */
export interface PullOrders {
  /** The tokens by which the media server publishes them: for a cameras' account as long as its key is good. */
  readonly issuer: TokenIssuer
  handle(path: string, state: PullState): void
  /** What a media server that has just started must know. */
  orders(): readonly PullMessage[]
  /** What one that runs must know. */
  onChange(handler: (message: PullMessage) => void): void
  /** The media server died. */
  clearStates(): void
}

type PullMessage = Extract<ToMediaServer, { type: 'pull' | 'unpull' }>

interface Entry {
  readonly accountId: string
  readonly order: PullOrder
  status: PullStatus
  /** Since when it is not connected though it is called; null while it is, or is not called. */
  lostSince: number | null
}

export function createPulledPaths(clock: Pick<Clock, 'now'>): {
  readonly pulledPaths: PulledPaths
  readonly pullOrders: PullOrders
} {
  const entries = new Map<string, Entry>()
  /** How many wait for each path. */
  const holds = new Map<string, number>()
  const holdHandlers: ((path: string) => void)[] = []
  let send: (message: PullMessage) => void = () => {}

  function orderOf(path: string, { order }: Entry): PullMessage {
    return { type: 'pull', path, order: holds.has(path) ? { ...order, mode: 'always' } : order }
  }

  function addHolds(path: string, change: 1 | -1): void {
    const count = (holds.get(path) ?? 0) + change
    if (count > 0) holds.set(path, count)
    else holds.delete(path)
    const entry = entries.get(path)
    if (entry) send(orderOf(path, entry))
  }

  function change(entry: Entry, state: PullState): void {
    if (state.state === 'lost') entry.lostSince ??= clock.now()
    else if (state.state !== 'connecting') entry.lostSince = null
    const enteredAt = entry.status.state === state.state ? entry.status.since : clock.now()
    const since = state.state === 'lost' ? entry.lostSince! : enteredAt
    const lastError = state.state === 'lost' ? { sentence: state.sentence, at: clock.now() } : entry.status.lastError
    entry.status = { state: state.state, since, lastError }
  }

  return {
    pulledPaths: {
      set(path, { accountId, ...camera }) {
        const known = entries.get(path)
        const token = known?.accountId === accountId ? known.order.token : `pt_${randomBytes(24).toString('base64url')}`
        const order: PullOrder = { ...camera, token }
        const status = known?.status ?? { state: 'idle', since: clock.now(), lastError: null }
        const entry: Entry = {
          accountId,
          order,
          status,
          lostSince: known?.order.url === camera.url ? known.lostSince : null,
        }
        entries.set(path, entry)
        send(orderOf(path, entry))
      },
      remove(path) {
        if (entries.delete(path)) send({ type: 'unpull', path })
      },
      hold(path) {
        addHolds(path, 1)
        for (const handler of holdHandlers) handler(path)
        return once(() => addHolds(path, -1))
      },
      listHeld: () => [...holds.keys()],
      onHold: (handler) => void holdHandlers.push(handler),
      has: (path) => entries.has(path),
      find: (path) => entries.get(path)?.status,
      listStatuses: () => [...entries].map(([path, { status }]) => ({ path, status })),
    },
    pullOrders: {
      issuer: {
        async find(token, { action, path }) {
          const entry = entries.get(path)
          if (action !== 'publish' || entry?.order.token !== token) return undefined
          return { principal: pullPrincipal(path), accountId: entry.accountId }
        },
      },
      handle(path, state) {
        const entry = entries.get(path)
        if (entry) change(entry, state)
      },
      orders: () => [...entries].map(([path, entry]) => orderOf(path, entry)),
      onChange: (handler) => void (send = handler),
      clearStates: () => entries.forEach((entry) => change(entry, { state: 'idle' })),
    },
  }
}

/** A camera that we call is somebody of its own: nobody else can publish in its place. */
export const pullPrincipal = (path: string): string => `pull:${path}`
