import { type ToMediaServer } from '../media/messages.ts'
import { type LivePath } from './live-paths.ts'
import { type PullStatus } from './pulled-paths.ts'

/** A path that another node has. */
export interface RemotePath {
  readonly path: string
  readonly nodeId: string
  /** A camera that that node calls: nobody publishes there. */
  readonly isCamera: boolean
  /** What arrives there; undefined of a camera that is not connected now. */
  readonly live: Omit<LivePath, 'path'> | undefined
  /** How it goes with the camera, where that node has said so. */
  readonly pull?: PullStatus | undefined
}

/** What other nodes have, as far as the cluster knows; nothing on a node that is alone. */
export interface RemotePaths {
  find(path: string): RemotePath | undefined
  list(): readonly RemotePath[]
  /** All there are now, in the place of those before. */
  set(paths: readonly RemotePath[]): void
}

/** The side of the media server's process, which relays them to those who read them here. */
export interface RelayOrders {
  /** What a media server that has just started must know. */
  orders(): readonly RelayMessage[]
  /** What one that runs must know. */
  onOrder(handler: (message: RelayMessage) => void): void
  /** A path has come, gone, or changed. */
  onChange(handler: (path: string) => void): void
}

type RelayMessage = Extract<ToMediaServer, { type: 'relay' | 'unrelay' }>

export function createRemotePaths(): { readonly remotePaths: RemotePaths; readonly relayOrders: RelayOrders } {
  let paths: ReadonlyMap<string, RemotePath> = new Map()
  const changeHandlers: ((path: string) => void)[] = []
  let send: (message: RelayMessage) => void = () => {}

  const orderOf = ({ path, nodeId }: RemotePath): RelayMessage => ({ type: 'relay', path, node: nodeId })

  function report(path: string, before: RemotePath | undefined, now: RemotePath | undefined): void {
    if (now === before) return
    if (!now) send({ type: 'unrelay', path })
    else if (now.nodeId !== before?.nodeId) send(orderOf(now))
    for (const handler of changeHandlers) handler(path)
  }

  return {
    remotePaths: {
      find: (path) => paths.get(path),
      list: () => [...paths.values()],
      set(all) {
        const before = paths
        // What has not changed stays the same object, by which others tell one publication from the next.
        paths = new Map(all.map((one) => [one.path, unchanged(before.get(one.path), one)]))
        for (const path of new Set([...before.keys(), ...paths.keys()])) report(path, before.get(path), paths.get(path))
      },
    },
    relayOrders: {
      orders: () => [...paths.values()].map(orderOf),
      onOrder: (handler) => void (send = handler),
      onChange: (handler) => void changeHandlers.push(handler),
    },
  }
}

function unchanged(before: RemotePath | undefined, now: RemotePath): RemotePath {
  if (!before) return now
  if (isSame(before, now)) return before
  return before.nodeId === now.nodeId && isSame(before.live, now.live) ? { ...now, live: before.live } : now
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
