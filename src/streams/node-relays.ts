import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type FromMediaServer, type RelayRoute, type ToMediaServer } from '../media/messages.ts'

/** What the cluster has our media server do for other nodes, and decides for it. */
export interface NodeRelays {
  /** Answers how a path of another node comes here. */
  routeBy(route: RouteRelay): void
  /** Publishes a path of ours on another node. Resolves when it flows, with how to end it; rejects with a sentence. */
  push(path: string, url: string): Promise<() => void>
  /** Whoever publishes it has come to another node. */
  endPublication(path: string): void
}

/** `failure`: why the way that was named before leads nowhere. */
export type RouteRelay = (path: string, failure?: string) => Promise<RelayRoute>

/** The side of the media server's process. */
export interface NodeRelayReports {
  onOrder(handler: (message: ToMediaServer) => void): void
  route(path: string, failure?: string): Promise<RelayRoute>
  pushed(message: Extract<FromMediaServer, { type: 'pushed' }>): void
  /** The media server died. */
  clear(): void
}

/** More than connecting may take; a media server that is just being started answers nothing. */
const PUSH_TIMEOUT_MS = 30_000
const NO_ANSWER = 'The node where it is live does not answer; try again in a moment.'
const ALONE: RelayRoute = { kind: 'none', sentence: 'This service has no other nodes.' }

export function createNodeRelays(): { readonly nodeRelays: NodeRelays; readonly relayReports: NodeRelayReports } {
  const pushing = new Map<string, Deferred<() => void>>()
  let lastId = 0
  let decide: RouteRelay = async () => ALONE
  let send: (message: ToMediaServer) => void = () => {}

  return {
    nodeRelays: {
      routeBy: (route) => void (decide = route),
      push(path, url) {
        const id = String(++lastId)
        const pushed = createDeferred<() => void>()
        const timer = setTimeout(() => pushed.reject(new Error(NO_ANSWER)), PUSH_TIMEOUT_MS)
        pushing.set(id, pushed)
        send({ type: 'push', id, path, url })
        return pushed.promise.finally(() => {
          clearTimeout(timer)
          pushing.delete(id)
        })
      },
      endPublication: (path) => send({ type: 'end-publication', path }),
    },
    relayReports: {
      onOrder: (handler) => void (send = handler),
      route: (path, failure) => decide(path, failure).catch((): RelayRoute => ({ kind: 'none', sentence: NO_ANSWER })),
      pushed({ id, failure }) {
        const pushed = pushing.get(id)
        if (failure === undefined) pushed?.resolve(() => send({ type: 'unpush', id }))
        else pushed?.reject(new Error(failure))
      },
      clear: () => pushing.forEach((pushed) => pushed.reject(new Error(NO_ANSWER))),
    },
  }
}
