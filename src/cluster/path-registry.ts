import { type Clock } from '../core/clock.ts'
import { streamOfPreview } from '../core/media-path.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type LivePaths, type LocalPath } from '../streams/live-paths.ts'
import { type PathClaims } from '../streams/path-claims.ts'
import { type ClaimedPath, type LivePathStore, type NodeEpoch, type PathClaim } from './live-path.store.ts'

/** Keeps the rows of this node's paths as its hub is, and its hub as they are. */
export interface PathRegistry {
  /** For publishers that are about to be admitted. */
  readonly claims: PathClaims
  /** Another node has taken it over, or we may have missed something: makes hub and row agree. */
  settle(path: string): Promise<void>
  /** The same of all paths, given the rows that there are. */
  reconcile(rows: readonly ClaimedPath[]): Promise<void>
}

export interface PathRegistryDeps {
  readonly store: Pick<LivePathStore, 'take' | 'confirm' | 'release'>
  readonly self: () => NodeEpoch
  readonly localPaths: LivePaths<LocalPath>
  /** Ends what is published here: its publisher has come to another node. */
  readonly endPublication: (path: string) => void
  /** We have taken this path over from that node, which is to settle it. */
  readonly onTakenOver: (from: string, path: string) => void
  /** A row of ours has changed: other nodes are to read all of them. */
  readonly onChange: () => void
  readonly clock: Clock
  readonly log: Log
}

/** The media server waits five seconds for an answer; publishing goes on while the database is away. */
const CLAIM_TIMEOUT_MS = 2_000
/** Whoever was admitted for so long and is not live never will be. */
const MAX_UNUSED_MS = 60_000

interface Pending {
  readonly count: number
  readonly newestAt: number
}

export function createPathRegistry(deps: PathRegistryDeps): PathRegistry {
  const { store, self, localPaths, endPublication, onTakenOver, onChange, clock, log } = deps
  /** What was read first must not be written last. */
  const turns = createTurns()
  /** Publishers that were admitted and are not live yet. */
  const pending = new Map<string, Pending>()

  function addPending(path: string, change: 1 | -1): void {
    const { count = 0, newestAt = 0 } = pending.get(path) ?? {}
    if (count + change > 0)
      pending.set(path, { count: count + change, newestAt: change > 0 ? clock.steady() : newestAt })
    else pending.delete(path)
  }

  function isPending(path: string): boolean {
    const found = pending.get(path)
    if (!found) return false
    if (clock.steady() - found.newestAt < MAX_UNUSED_MS) return true
    return !pending.delete(path)
  }

  async function claim(taken: PathClaim): Promise<boolean> {
    const { path, principal } = taken
    const local = localPaths.find(path)
    // Of two on one node its hub decides, and the row stays that of the one who is live.
    if (local && local.principal !== principal) return true
    const { isTaken, before } = await store.take(taken, self(), { takesOver: true })
    if (before !== undefined) onTakenOver(before, path)
    return isTaken
  }

  async function agree(path: string): Promise<void> {
    const local = localPaths.find(path)
    if (local) return keep(local)
    if (isPending(path)) return
    await store.release(path, self())
    onChange()
  }

  async function keep({ path, principal, protocol, video, since }: LocalPath): Promise<void> {
    const live: PathClaim = { path, principal, protocol, video, since }
    // The row was written while we published: whoever has it now came later.
    const isOurs = (await store.confirm(live, self())) || (await store.take(live, self(), { takesOver: false })).isTaken
    if (isOurs) return onChange()
    log.info({ path }, 'a publication ends: its path is live on another node')
    endPublication(path)
  }

  const settle = (path: string): Promise<void> =>
    turns
      .take(path, () => agree(path))
      .catch((error: unknown) => {
        log.warn({ err: error, path }, 'it could not be written which node has a stream; trying again')
      })

  localPaths.onLive(({ path }) => {
    addPending(path, -1)
    if (isClaimed(path)) void settle(path)
  })
  localPaths.onGone((path) => {
    if (isClaimed(path)) void settle(path)
  })

  return {
    claims: {
      async take(path, principal, protocol) {
        addPending(path, 1)
        const answered = new AbortController()
        const wanted: PathClaim = { path, principal, protocol, video: undefined, since: 0 }
        const claimed = turns
          .take(path, () => claim(wanted))
          .catch((error: unknown) => {
            log.warn({ err: error, path }, 'a path is published to before all nodes know')
            return true
          })
        const late = clock.sleep(CLAIM_TIMEOUT_MS, answered.signal).then(() => true)
        const isTaken = await Promise.race([claimed, late]).finally(() => answered.abort())
        if (!isTaken) addPending(path, -1)
        return isTaken
      },
      unused(path) {
        addPending(path, -1)
        void settle(path)
      },
    },
    settle,
    async reconcile(rows) {
      const { nodeId } = self()
      const ofPath = new Map(rows.map((row) => [row.path, row]))
      const live = localPaths
        .list()
        .filter((local) => isClaimed(local.path) && !isRowOf(ofPath.get(local.path), local, nodeId))
      const left = rows.filter((row) => row.nodeId === nodeId && !localPaths.isLive(row.path) && !isPending(row.path))
      for (const { path } of [...live, ...left]) await settle(path)
    },
  }
}

/** Previews are each node's own. */
const isClaimed = (path: string): boolean => streamOfPreview(path) === undefined

function isRowOf(row: ClaimedPath | undefined, local: LocalPath, nodeId: string): boolean {
  return row?.nodeId === nodeId && row.principal === local.principal && row.since === local.since
}
