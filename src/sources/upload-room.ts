import { AppError } from '../core/errors.ts'
import { type Account, type Limits } from '../core/words.ts'
import { type DiskBudget, type KeptFiles } from '../storage/disk-budget.ts'
import { type DiskState, fixedBy, shareOf } from '../storage/disk-shares.ts'

/**
 * Room for what is being uploaded. Each byte belongs to its account before it is written, so that uploads that run at the
 * same time stay within its limits together.
 */
export interface UploadRoom extends KeptFiles {
  /** Throws when the account has too many uploads under way. */
  enter(account: UploadingAccount): UploadReservation
}

export interface UploadingAccount extends Pick<Account, 'id' | 'masterId'> {
  readonly limits: Pick<Limits, 'totalStorageSizeBytes'>
}

export interface UploadReservation {
  /** Rejects when there is no room for so many bytes more. */
  readonly reserve: (bytes: number) => Promise<void>
  /** The bytes are counted as stored now, or gone. */
  readonly release: () => void
}

export interface UploadRoomDeps {
  readonly store: { usedBytes(accountId: string): Promise<number> }
  readonly budget: Pick<DiskBudget, 'state' | 'trim'>
}

interface Incoming {
  uploads: number
  /** What has come and is neither stored nor gone. */
  heldBytes: number
  /** Only counts up. */
  receivedBytes: number
  /** As much may have been received before we must look again. */
  allowedBytes: number
}

const MAX_UPLOADS = 4
/** What others do on the disk meanwhile is noticed after so much. */
const LOOK_EVERY_BYTES = 16 * 2 ** 20

export function createUploadRoom({ store, budget }: UploadRoomDeps): UploadRoom {
  const incoming = new Map<string, Incoming>()

  /** Counted before the look, what comes during it is counted twice at worst, and never not at all. */
  async function look(account: UploadingAccount, one: Incoming): Promise<void> {
    const { receivedBytes, heldBytes } = one
    const { totalStorageSizeBytes } = account.limits
    const quotaLeftBytes = totalStorageSizeBytes - heldBytes - (await store.usedBytes(account.id))
    if (quotaLeftBytes < 0) throw new AppError('video-storage-full', { limit_bytes: totalStorageSizeBytes })
    const state = await stateWithRoom()
    if (Math.min(state.diskLeftBytes, state.limitBytes) <= 0) throw new AppError('disk-full')
    const shareBytes = shareOf(state, account)
    const shareLeftBytes = shareBytes - fixedBy(state, account.id)
    if (shareLeftBytes < 0) throw new AppError('disk-share-used-up', { share_bytes: shareBytes })
    const leftBytes = Math.min(quotaLeftBytes, shareLeftBytes, state.diskLeftBytes, LOOK_EVERY_BYTES)
    one.allowedBytes = receivedBytes + leftBytes
  }

  /** Where the budget is used up, those above their share lose their oldest recordings first; who uploads may be one of them. */
  async function stateWithRoom(): Promise<DiskState> {
    const state = await budget.state()
    return state.leftBytes >= 0 ? state : ((await budget.trim(new AbortController().signal)) ?? (await budget.state()))
  }

  return {
    heldBytes: async () => new Map([...incoming].map(([accountId, { heldBytes }]) => [accountId, heldBytes])),
    enter(account) {
      const one = incoming.get(account.id) ?? { uploads: 0, heldBytes: 0, receivedBytes: 0, allowedBytes: 0 }
      if (one.uploads >= MAX_UPLOADS) throw new AppError('upload-limit-reached', { limit: MAX_UPLOADS })
      incoming.set(account.id, one)
      one.uploads += 1
      let reservedBytes = 0
      let isReleased = false
      return {
        async reserve(bytes) {
          reservedBytes += bytes
          one.heldBytes += bytes
          one.receivedBytes += bytes
          if (one.receivedBytes > one.allowedBytes) await look(account, one)
        },
        release() {
          if (isReleased) return
          isReleased = true
          one.uploads -= 1
          one.heldBytes -= reservedBytes
          if (one.uploads === 0) incoming.delete(account.id)
        },
      }
    },
  }
}
