import { type Clock } from '../core/clock.ts'
import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Log } from '../observe/log.ts'

/** The nodes of the service as they were a moment ago, for who cannot wait for the database. */
export interface NodeDirectory {
  /** One that is alive. */
  find(id: NodeId): ClusterNode | undefined
  /** Whether there is one of this name, alive or not. */
  isKnown(id: NodeId): boolean
  /** It was alive before, and is not now, or has joined anew. */
  onGone(handler: (id: NodeId) => void): void
  start(): Promise<void>
  close(): Promise<void>
}

export interface NodeDirectoryDeps {
  readonly store: { list(): Promise<readonly ClusterNode[]> }
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
}

const POLL_EVERY_MS = 2_000

export function createNodeDirectory({ store, clock, log }: NodeDirectoryDeps): NodeDirectory {
  const closing = new AbortController()
  const handlers: ((id: NodeId) => void)[] = []
  let known: ReadonlySet<NodeId> = new Set()
  let alive: ReadonlyMap<NodeId, ClusterNode> = new Map()
  let isFailing = false
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    const before = alive
    const nodes = await store.list()
    known = new Set(nodes.map(({ id }) => id))
    alive = new Map(nodes.filter(({ isAlive }) => isAlive).map((node) => [node.id, node]))
    for (const { id, epoch } of before.values())
      if (alive.get(id)?.epoch !== epoch) for (const handler of handlers) handler(id)
  }

  /** What was known stays: nodes may reach each other while the database is away. */
  async function readOrWarn(): Promise<void> {
    try {
      await read()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the nodes of the service could not be read; trying again')
      isFailing = true
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(POLL_EVERY_MS, closing.signal)
      if (!closing.signal.aborted) await readOrWarn()
    }
  }

  return {
    find: (id) => alive.get(id),
    isKnown: (id) => known.has(id),
    onGone: (handler) => void handlers.push(handler),
    async start() {
      await readOrWarn()
      running = run()
    },
    async close() {
      closing.abort()
      await running
    },
  }
}
