import { type Clock } from '../core/clock.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { createGrowthRoom } from '../storage/growth-room.ts'
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

export function createPictureWriter({ files, store, budget, clock, log }: PictureWriterDeps): PictureWriter {
  const sentence = 'the disk budget is used up: reports go on without new pictures'
  const room = createGrowthRoom({ budget, sentence, clock, log })

  return {
    async keep(batches) {
      if (batches.length === 0) return
      const rows = []
      for (const { processId, accountId, pictures } of batches) {
        if (!(await room.hasRoom(accountId))) continue
        for (const picture of pictures) rows.push(await files.write(processId, picture))
      }
      await files.remove(await store.put(rows))
    },
  }
}
