import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { pullPrincipal, type PullStatus } from '../streams/pulled-paths.ts'
import { type RemotePath, type RemotePaths } from '../streams/remote-paths.ts'
import { type ClaimedPath, type LivePathStore } from './live-path.store.ts'
import { type PathRegistry } from './path-registry.ts'

/** Knows which node has what: reads it when something has changed, and every few seconds in case a notification was lost. */
export interface PathWatch {
  /** Something has changed. */
  refresh(): void
  /** Something is known of cameras that was not before; the rest is as it was read. */
  apply(): void
  start(): void
  close(): Promise<void>
}

export interface PathWatchDeps {
  readonly store: Pick<LivePathStore, 'list'>
  readonly nodeId: string
  readonly cameras: {
    /** The cameras that other nodes call, connected or not. */
    listElsewhere(): Promise<readonly { readonly path: string; readonly nodeId: string }[]>
  }
  /** What another node has reported of a camera. */
  readonly pullStatusOf: (path: string) => PullStatus | undefined
  readonly registry: Pick<PathRegistry, 'reconcile'>
  readonly remotePaths: Pick<RemotePaths, 'set'>
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 5_000
/** Many streams begin at once when a service starts: they are read together. */
const GATHER_MS = 50

export function createPathWatch(deps: PathWatchDeps): PathWatch {
  const { store, nodeId, cameras, pullStatusOf, registry, remotePaths, clock, log } = deps
  const closing = new AbortController()
  let waking = new AbortController()
  let isAway = false
  let seen: readonly RemotePath[] = []
  let running: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    const [rows, elsewhere] = await Promise.all([store.list(), cameras.listElsewhere()])
    const known = new Map(elsewhere.map((camera) => [camera.path, toIdleCamera(camera)]))
    for (const row of rows) if (row.nodeId !== nodeId && row.since > 0) known.set(row.path, toRemotePath(row))
    seen = [...known.values()]
    apply()
    await registry.reconcile(rows)
  }

  function apply(): void {
    remotePaths.set(seen.map((one) => (one.isCamera ? { ...one, pull: pullStatusOf(one.path) } : one)))
  }

  /** What is known stays where it fails: streams of other nodes go on while the database is away. */
  async function readOrWarn(): Promise<void> {
    try {
      await read()
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'it cannot be read which node has what; trying again')
      isAway = true
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      waking = new AbortController()
      const signal = AbortSignal.any([closing.signal, waking.signal])
      await readOrWarn()
      await clock.sleep(POLL_EVERY_MS, signal)
      await clock.sleep(GATHER_MS, closing.signal)
    }
  }

  return {
    refresh: () => waking.abort(),
    apply,
    start: () => void (running = run()),
    async close() {
      closing.abort()
      await running
    },
  }
}

function toRemotePath({ path, nodeId, principal, protocol, video, since }: ClaimedPath): RemotePath {
  return { path, nodeId, isCamera: principal === pullPrincipal(path), live: { protocol, video, since } }
}

function toIdleCamera({ path, nodeId }: { readonly path: string; readonly nodeId: string }): RemotePath {
  return { path, nodeId, isCamera: true, live: undefined }
}
