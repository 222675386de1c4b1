import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { createTurns } from '../core/turns.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { fixedBy, shareOf } from '../storage/disk-shares.ts'

/** Clips stay until they are deleted, as uploads do: one that would exceed the share of its account is not begun. */
export interface ClipRoom {
  /** Runs `insert`, after which the bytes are held, if there is room for them. Rejects where there is none. */
  hold<T>(account: Pick<Account, 'id' | 'masterId'>, bytes: number, insert: () => Promise<T>): Promise<T>
}

export function createClipRoom(budget: Pick<DiskBudget, 'state'>): ClipRoom {
  const turns = createTurns()

  async function check(account: Pick<Account, 'id' | 'masterId'>, bytes: number): Promise<void> {
    const state = await budget.state()
    if (Math.min(state.diskLeftBytes - bytes, state.limitBytes) <= 0) throw new AppError('disk-full')
    const shareBytes = shareOf(state, account)
    if (fixedBy(state, account.id) + bytes > shareBytes)
      throw new AppError('disk-share-used-up', { share_bytes: shareBytes })
  }

  return {
    // One after the other: what was held for those before is counted then.
    hold: (account, bytes, insert) =>
      turns.take('room', async () => {
        await check(account, bytes)
        return insert()
      }),
  }
}
