import { type Clock } from '../../core/clock.ts'
import { type Hub, type HubEvent } from '../hub.ts'
import { type RelayRoute } from '../messages.ts'
import { type ProtocolLog } from '../protocol-server.ts'
import { createRelay, type Relay } from './relay.ts'
import { readRelay } from './relay-reading.ts'

/** What is live on other nodes, and how it comes here for those who read it here. */
export interface Relays {
  /** From now on this path is live there. */
  set(path: string, node: string): void
  remove(path: string): void
  /** Brings the path here if need be; undefined for one that is published here, or nowhere. */
  wake(path: string): Promise<void> | undefined
  /** What the hub says of relays, those that are pushed to us included. */
  handle(event: HubEvent): void
  close(): void
}

export interface RelaysDeps {
  readonly hub: Pick<Hub, 'relay' | 'end' | 'readerCount' | 'isPublished'>
  readonly route: (path: string, failure?: string) => Promise<RelayRoute>
  readonly log: ProtocolLog
  readonly clock: Clock
}

export function createRelays({ hub, route, log, clock }: RelaysDeps): Relays {
  const relays = new Map<string, { readonly relay: Relay; readonly node: string }>()

  function remove(path: string): void {
    relays.get(path)?.relay.close()
    relays.delete(path)
  }

  return {
    set(path, node) {
      if (relays.get(path)?.node === node) return
      remove(path)
      relays.set(path, { relay: createRelay({ path, hub, route, read: readRelay, log, clock }), node })
    },
    remove,
    wake: (path) => (hub.isPublished(path) ? undefined : relays.get(path)?.relay.waitUntilLive()),
    handle({ type, path }) {
      const known = relays.get(path)
      if (known) known.relay.setLive(type === 'live')
      // Pushed by a node that was asked before we knew better.
      else if (type === 'live') hub.end(path, 'unread')
    },
    close: () => [...relays.keys()].forEach(remove),
  }
}
