import { statfs } from 'node:fs/promises'
import { type Clock } from '../core/clock.ts'
import { type Db } from './database.ts'
import { type DiskState, type Holder } from './disk-shares.ts'
import { type HeldBytes, type KeptFiles } from './kept-files.ts'

export interface DiskUsageDeps {
  /** On the disk that is measured. */
  readonly folder: string
  /** Undefined for a share of the disk. */
  readonly fixedBytes: number | undefined
  /** May grow. */
  readonly kinds: readonly KeptFiles[]
  readonly db: Db
  readonly clock: Clock
}

/** Counts what accounts hold on the disk, and what is left of it. */
export interface DiskUsage {
  /** Counts everything anew. */
  measure(): Promise<DiskState>
  /** What is slow to count may be as it was a moment ago. */
  measureRecent(): Promise<DiskState>
}

/** Without a fixed budget, this share of the disk is left free. */
const FREE_SHARE = 0.1
/** Never used, whatever the budget says: the database must be able to write. */
const RESERVED_SHARE = 0.01
/** What is slow to count is not counted anew for every upload. */
const SLOW_COUNT_EVERY_MS = 2_000

interface Counted {
  readonly held: HeldBytes
  readonly removable: HeldBytes
}

interface Count {
  readonly counted: Promise<Counted>
  /** Infinity while it is under way. */
  at: number
}

export function createDiskUsage({ folder, fixedBytes, kinds, db, clock }: DiskUsageDeps): DiskUsage {
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

  return { measure: () => measure(countAnew), measureRecent: () => measure(countRecent) }
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
