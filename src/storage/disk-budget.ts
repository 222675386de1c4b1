import { statfs } from 'node:fs/promises'
import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from './database.ts'
import { chooseEviction, type DiskState, type Holder } from './disk-shares.ts'
import { type JobKind } from './job-runner.ts'

/** How much disk all that is kept may take, together, and who holds how much of it. */
export interface DiskBudget {
  /** Adds something that takes room, so that its bytes are counted. */
  count(kept: KeptFiles): void
  /** The one pass every few seconds, for all that is kept. */
  readonly job: JobKind
  /** Is called with how the disk stands after each pass of the job; undefined while there is more to remove. */
  onPass(handler: (state: DiskState | undefined) => void | Promise<void>): void
  state(): Promise<DiskState>
  /**
   * Removes what is too much, the oldest of whoever exceeds its share, as far as there is something that may be removed.
   * Undefined when that is more than one pass does.
   */
  trim(signal?: AbortSignal): Promise<DiskState | undefined>
}

/** One kind of what is kept. */
export interface KeptFiles {
  /** By account. */
  heldBytes(): Promise<HeldBytes>
  /** Many rows or files are looked at: `state` may answer with a count of a moment ago. */
  readonly isSlowToCount?: boolean
  /** Left out where nothing may be removed. */
  readonly removal?: {
    /** By account: of what is held, what is being written, and stays. */
    writingBytes(): Promise<HeldBytes>
    /** The oldest of an account that may be removed. */
    listOldest(accountId: string, limit: number): Promise<readonly RemovableFile[]>
  }
}

export type HeldBytes = ReadonlyMap<string, number>

export interface RemovableFile {
  /** Milliseconds since the epoch, for the order between kinds. */
  readonly writtenAt: number
  readonly sizeBytes: number
  remove(): Promise<void>
}

export interface DiskBudgetDeps {
  readonly folder: string
  /** Undefined for a share of the disk. */
  readonly fixedBytes: number | undefined
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** Without a fixed budget, this share of the disk is left free. */
const FREE_SHARE = 0.1
/** Never used, whatever the budget says: the database must be able to write. */
const RESERVED_SHARE = 0.01
/** What is slow to count is not counted anew for every upload. */
const SLOW_COUNT_EVERY_MS = 2_000
const BATCH = 100
/** In one pass; what is more waits for the next. */
const MAX_REMOVALS = 1_000

/** In which recordings overrun the budget by what they bring. */
const PASS_EVERY_MS = 10_000

interface Counted {
  readonly held: HeldBytes
  readonly removable: HeldBytes
}

interface Count {
  readonly counted: Promise<Counted>
  /** Infinity while it is under way. */
  at: number
}

export function createDiskBudget({ folder, fixedBytes, db, clock, log }: DiskBudgetDeps): DiskBudget {
  const kinds: KeptFiles[] = []
  /** Two passes at once would both remove what is too much. */
  let lastPass: Promise<unknown> = Promise.resolve()

  const handlers: Parameters<DiskBudget['onPass']>[0][] = []
  const lastCounts = new Map<KeptFiles, Count>()

  function countAnew(kind: KeptFiles): Promise<Counted> {
    const count: Count = { counted: countOnce(kind), at: Infinity }
    lastCounts.set(kind, count)
    count.counted.then(
      () => (count.at = clock.steady()),
      () => lastCounts.delete(kind),
    )
    return count.counted
  }

  function countRecent(kind: KeptFiles): Promise<Counted> {
    const last = kind.isSlowToCount ? lastCounts.get(kind) : undefined
    return last && clock.steady() - last.at < SLOW_COUNT_EVERY_MS ? last.counted : countAnew(kind)
  }

  async function listHolders(count: (kind: KeptFiles) => Promise<Counted>): Promise<Holder[]> {
    const counts = await Promise.all(kinds.map(count))
    const held = sumByAccount(counts.map((one) => one.held))
    const removable = sumByAccount(counts.map((one) => one.removable))
    const children = await db
      .selectFrom('account')
      .select(['id', 'master_id'])
      .where('master_id', 'is not', null)
      .execute()
    const masters = new Map(children.map(({ id, master_id }) => [id, master_id!]))
    return [...held].map(([accountId, heldBytes]) => ({
      accountId,
      masterId: masters.get(accountId) ?? accountId,
      heldBytes,
      removableBytes: removable.get(accountId) ?? 0,
    }))
  }

  async function measure(count: (kind: KeptFiles) => Promise<Counted>): Promise<DiskState> {
    const holders = await listHolders(count)
    const usedBytes = holders.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    const { blocks, bavail, bsize } = await statfs(folder)
    const leftOnDisk = (share: number) => Math.floor((bavail - blocks * share) * bsize)
    const diskLeftBytes = leftOnDisk(RESERVED_SHARE)
    const leftBytes =
      fixedBytes === undefined ? leftOnDisk(FREE_SHARE) : Math.min(fixedBytes - usedBytes, diskLeftBytes)
    return { holders, usedBytes, limitBytes: usedBytes + leftBytes, leftBytes, diskLeftBytes }
  }

  async function* oldestFirst(accountId: string): AsyncGenerator<RemovableFile, undefined> {
    const removals = kinds.flatMap(({ removal }) => removal ?? [])
    const queues = removals.map((removal) => ({ removal, files: [] as RemovableFile[], isEmpty: false }))
    for (;;) {
      for (const queue of queues.filter(({ files, isEmpty }) => files.length === 0 && !isEmpty)) {
        queue.files = [...(await queue.removal.listOldest(accountId, BATCH))]
        queue.isEmpty = queue.files.length === 0
      }
      const [first] = queues
        .filter(({ files }) => files.length > 0)
        .sort((a, b) => a.files[0]!.writtenAt - b.files[0]!.writtenAt)
      if (!first) return undefined
      yield first.files.shift()!
    }
  }

  async function pass(signal?: AbortSignal): Promise<DiskState | undefined> {
    const before = await measure(countAnew)
    const holders = before.holders.map((holder) => ({ ...holder, hasRemovable: true, removedFiles: 0 }))
    const files = new Map(holders.map(({ accountId }) => [accountId, oldestFirst(accountId)]))
    let removedBytes = 0
    let isDone = false
    for (let removals = 0; removals < MAX_REMOVALS && !signal?.aborted;) {
      const accountId = chooseEviction(holders, before.limitBytes)
      const holder = holders.find((one) => one.accountId === accountId)
      if (!holder) {
        isDone = true
        break
      }
      const { value: oldest } = await files.get(holder.accountId)!.next()
      if (!oldest) {
        holder.hasRemovable = false
        continue
      }
      try {
        await oldest.remove()
      } catch (error) {
        // Others must not wait for what cannot be removed; the next pass tries again.
        log.error({ err: error, account: holder.accountId }, 'a file above an account’s share cannot be removed')
        holder.hasRemovable = false
        continue
      }
      holder.heldBytes -= oldest.sizeBytes
      holder.removableBytes -= oldest.sizeBytes
      holder.removedFiles += 1
      removedBytes += oldest.sizeBytes
      removals += 1
    }
    for (const { accountId, removedFiles } of holders.filter((holder) => holder.removedFiles > 0))
      log.warn(
        { account: accountId, files: removedFiles },
        'the disk budget is used up: the oldest files of an account above its share are removed',
      )
    if (!isDone) return undefined
    const after = { usedBytes: before.usedBytes - removedBytes, leftBytes: before.leftBytes + removedBytes }
    return { ...before, ...after, holders, diskLeftBytes: before.diskLeftBytes + removedBytes }
  }

  function trim(signal?: AbortSignal): Promise<DiskState | undefined> {
    const done = lastPass.then(() => pass(signal))
    lastPass = done.catch(() => {})
    return done
  }

  return {
    count: (kept) => void kinds.push(kept),
    state: () => measure(countRecent),
    trim,
    onPass: (handler) => void handlers.push(handler),
    job: {
      kind: 'disk-budget',
      everyMs: PASS_EVERY_MS,
      runsOnFullDisk: true,
      async handle(_job, signal) {
        const state = await trim(signal)
        // One that fails keeps the others from nothing; the job says so then.
        const outcomes = await Promise.allSettled(handlers.map(async (handler) => handler(state)))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      },
    },
  }
}

async function countOnce(kind: KeptFiles): Promise<Counted> {
  const [held, writing] = await Promise.all([kind.heldBytes(), kind.removal?.writingBytes()])
  // What has grown between the two looks is not removable by that.
  const removable = writing
    ? [...held].map(([id, bytes]) => [id, Math.max(0, bytes - (writing.get(id) ?? 0))] as const)
    : []
  return { held, removable: new Map(removable) }
}

function sumByAccount(kinds: readonly HeldBytes[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const kind of kinds)
    for (const [accountId, bytes] of kind) if (bytes > 0) sums.set(accountId, (sums.get(accountId) ?? 0) + bytes)
  return sums
}
