import { statfs } from 'node:fs/promises'

/** How much disk all that is kept may take, together. */
export interface DiskBudget {
  /** Adds something that takes room, so that its bytes are counted. */
  count(totalBytes: () => Promise<number>): void
  state(): Promise<BudgetState>
}

export interface BudgetState {
  readonly usedBytes: number
  readonly limitBytes: number
  /** Below zero when too much is kept already. */
  readonly leftBytes: number
}

/** Without a fixed budget, this share of the disk is left free. */
const FREE_SHARE = 0.1
/** Never used, whatever the budget says: the database must be able to write. */
const RESERVED_SHARE = 0.01

export function createDiskBudget(folder: string, fixedBytes: number | undefined): DiskBudget {
  const counters: (() => Promise<number>)[] = []

  return {
    count: (totalBytes) => void counters.push(totalBytes),
    async state() {
      const usedBytes = (await Promise.all(counters.map((count) => count()))).reduce((sum, bytes) => sum + bytes, 0)
      const { blocks, bavail, bsize } = await statfs(folder)
      const leftOnDisk = (share: number) => (bavail - blocks * share) * bsize
      const leftBytes =
        fixedBytes === undefined ? leftOnDisk(FREE_SHARE) : Math.min(fixedBytes - usedBytes, leftOnDisk(RESERVED_SHARE))
      return { usedBytes, limitBytes: usedBytes + leftBytes, leftBytes }
    },
  }
}
