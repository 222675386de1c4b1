import { type Account, type Limits } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type DiskState, fixedBy, shareOf } from '../storage/disk-shares.ts'
import { type KeptFiles } from '../storage/kept-files.ts'

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

interface Upload {
  /** What has come and is neither stored nor gone. */
  heldBytes: number
  hasMadeRoom: boolean
}

interface Incoming {
  /** In the order in which they began. Where not all fit, the later ones are refused. */
  readonly uploads: Set<Upload>
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
  async function look(account: UploadingAccount, one: Incoming, upload: Upload): Promise<void> {
    const { receivedBytes } = one
    const heldBytes = heldBy(one)
    const laterBytes = heldBytes - heldBy(one, upload)
    const { totalStorageSizeBytes } = account.limits
    const quotaLeftBytes = totalStorageSizeBytes - heldBytes - (await store.usedBytes(account.id))
    if (quotaLeftBytes + laterBytes < 0)
      throw new AppError('video-storage-full', { limit_bytes: totalStorageSizeBytes })
    const state = await stateWithRoom(upload)
    if (Math.min(state.diskLeftBytes, state.limitBytes) <= 0) throw new AppError('disk-full')
    const shareBytes = shareOf(state, account)
    const shareLeftBytes = shareBytes - fixedBy(state, account.id)
    if (shareLeftBytes + laterBytes < 0) throw new AppError('disk-share-used-up', { share_bytes: shareBytes })
    const leftBytes = Math.min(quotaLeftBytes, shareLeftBytes, state.diskLeftBytes, LOOK_EVERY_BYTES)
    one.allowedBytes = receivedBytes + Math.max(0, leftBytes)
  }

  /**
   * Where the budget is used up, accounts above their share lose their oldest recordings first; the uploading one may be among
   * them. Once for an upload: what is too much later goes with the next pass.
   */
  async function stateWithRoom(upload: Upload): Promise<DiskState> {
    const state = await budget.state()
    if (state.leftBytes >= 0 || upload.hasMadeRoom) return state
    upload.hasMadeRoom = true
    return (await budget.trim()) ?? budget.state()
  }

  return {
    heldBytes: async () => new Map([...incoming].map(([accountId, one]) => [accountId, heldBy(one)])),
    enter(account) {
      const one = incoming.get(account.id) ?? { uploads: new Set(), receivedBytes: 0, allowedBytes: 0 }
      if (one.uploads.size >= MAX_UPLOADS) throw new AppError('upload-limit-reached', { limit: MAX_UPLOADS })
      incoming.set(account.id, one)
      const upload: Upload = { heldBytes: 0, hasMadeRoom: false }
      one.uploads.add(upload)
      return {
        async reserve(bytes) {
          upload.heldBytes += bytes
          one.receivedBytes += bytes
          if (one.receivedBytes > one.allowedBytes) await look(account, one, upload)
        },
        release() {
          one.uploads.delete(upload)
          if (one.uploads.size === 0) incoming.delete(account.id)
        },
      }
    },
  }
}

/** Of all uploads of an account, or up to one of them. */
function heldBy({ uploads }: Incoming, last?: Upload): number {
  let bytes = 0
  for (const upload of uploads) {
    bytes += upload.heldBytes
    if (upload === last) break
  }
  return bytes
}
