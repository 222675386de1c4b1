import { type Clock } from '../core/clock.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type DiskState, mayGrow } from '../storage/disk-shares.ts'
import { type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'

export interface PictureBatch {
  readonly processId: string
  readonly accountId: string
  readonly pictures: readonly TrackPicture[]
}

/** Writes pictures down while their account has room for them; without room reports go on without new ones. */
export interface PictureWriter {
  keep(batches: readonly PictureBatch[]): Promise<void>
}

export interface PictureWriterDeps {
  readonly files: Pick<PictureFiles, 'write' | 'remove'>
  readonly store: Pick<PictureStore, 'put'>
  readonly budget: Pick<DiskBudget, 'state'>
  readonly clock: Clock
  readonly log: Log
}

/** Counting what is kept takes a while, so it is not done for every picture. */
const LOOK_EVERY_MS = 10_000

export function createPictureWriter({ files, store, budget, clock, log }: PictureWriterDeps): PictureWriter {
  /** Whose reports go on without. */
  const withoutRoom = new Set<string>()
  let latest: { readonly state: DiskState; readonly at: number } | undefined

  async function look(): Promise<DiskState> {
    if (!latest || clock.steady() - latest.at >= LOOK_EVERY_MS)
      latest = { at: clock.steady(), state: await budget.state() }
    return latest.state
  }

  function hasRoom(state: DiskState, accountId: string): boolean {
    if (mayGrow(state, accountId)) {
      withoutRoom.delete(accountId)
      return true
    }
    if (!withoutRoom.has(accountId))
      log.warn({ account: accountId }, 'the disk budget is used up: reports go on without new pictures')
    withoutRoom.add(accountId)
    return false
  }

  return {
    async keep(batches) {
      if (batches.length === 0) return
      const state = await look()
      const rows = []
      for (const { processId, pictures } of batches.filter(({ accountId }) => hasRoom(state, accountId)))
        for (const picture of pictures) rows.push(await files.write(processId, picture))
      await files.remove(await store.put(rows))
    },
  }
}
