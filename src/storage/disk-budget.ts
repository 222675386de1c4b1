import { statfs } from 'node:fs/promises'
import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from './database.ts'
import { chooseEviction, type DiskState, type Holder } from './disk-shares.ts'

/** How much disk all that is kept may take, together, and who holds how much of it. */
export interface DiskBudget {
  /** Adds something that takes room, so that its bytes are counted. */
  count(kept: KeptFiles): void
  state(): Promise<DiskState>
  /**
   * Removes what is too much, the oldest of whoever exceeds its share, as far as there is something that may be removed.
   * Undefined when that is more than one pass does.
   */
  trim(signal: AbortSignal): Promise<DiskState | undefined>
}

/** One kind of what is kept. */
export interface KeptFiles {
  /** By account. */
  heldBytes(): Promise<HeldBytes>
  /** Many rows or files are looked at: `state` may answer with a count of a moment ago. */
  readonly isSlowToCount?: boolean
  /** The oldest that may be removed of an account; left out where nothing may. */
  listOldest?(accountId: string, limit: number): Promise<readonly RemovableFile[]>
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

interface Count {
  readonly at: number
  readonly held: Promise<HeldBytes>
  isUnderWay: boolean
}

export function createDiskBudget({ folder, fixedBytes, db, clock, log }: DiskBudgetDeps): DiskBudget {
  const kinds: KeptFiles[] = []
  /** Two passes at once would both remove what is too much. */
  let lastPass: Promise<unknown> = Promise.resolve()

  const lastCounts = new Map<KeptFiles, Count>()

  function countAnew(kind: KeptFiles): Promise<HeldBytes> {
    const held = kind.heldBytes()
    const count = { at: clock.steady(), held, isUnderWay: true }
    lastCounts.set(kind, count)
    held.then(
      () => (count.isUnderWay = false),
      () => lastCounts.delete(kind),
    )
    return held
  }

  function countRecent(kind: KeptFiles): Promise<HeldBytes> {
    const last = kind.isSlowToCount ? lastCounts.get(kind) : undefined
    const isRecent = last && (last.isUnderWay || clock.steady() - last.at < SLOW_COUNT_EVERY_MS)
    return isRecent ? last.held : countAnew(kind)
  }

  async function listHolders(count: (kind: KeptFiles) => Promise<HeldBytes>): Promise<Holder[]> {
    const counts = await Promise.all(kinds.map(async (kind) => ({ kind, held: await count(kind) })))
    const held = sumByAccount(counts.map((one) => one.held))
    const removable = sumByAccount(counts.filter(({ kind }) => 'listOldest' in kind).map((one) => one.held))
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

  async function measure(count: (kind: KeptFiles) => Promise<HeldBytes>): Promise<DiskState> {
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
    const queues = kinds.map((kind) => ({ kind, files: [] as RemovableFile[], isEmpty: !kind.listOldest }))
    for (;;) {
      for (const queue of queues.filter(({ files, isEmpty }) => files.length === 0 && !isEmpty)) {
        queue.files = [...(await queue.kind.listOldest!(accountId, BATCH))]
        queue.isEmpty = queue.files.length === 0
      }
      const [first] = queues
        .filter(({ files }) => files.length > 0)
        .sort((a, b) => a.files[0]!.writtenAt - b.files[0]!.writtenAt)
      if (!first) return undefined
      yield first.files.shift()!
    }
  }

  async function pass(signal: AbortSignal): Promise<DiskState | undefined> {
    const before = await measure(countAnew)
    const holders = before.holders.map(({ removableBytes = 0, ...holder }) => ({
      ...holder,
      removableBytes,
      hasRemovable: true,
      removedFiles: 0,
    }))
    const files = new Map(holders.map(({ accountId }) => [accountId, oldestFirst(accountId)]))
    let removedBytes = 0
    let isDone = false
    for (let removals = 0; removals < MAX_REMOVALS && !signal.aborted;) {
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

  return {
    count: (kept) => void kinds.push(kept),
    state: () => measure(countRecent),
    trim(signal) {
      const done = lastPass.then(() => pass(signal))
      lastPass = done.catch(() => {})
      return done
    },
  }
}

function sumByAccount(kinds: readonly HeldBytes[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const kind of kinds)
    for (const [accountId, bytes] of kind) if (bytes > 0) sums.set(accountId, (sums.get(accountId) ?? 0) + bytes)
  return sums
}
