import { type Clock } from '../core/clock.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'

export interface PictureBatch {
  readonly processId: string
  readonly pictures: readonly TrackPicture[]
}

/** Writes pictures down while there is room for them; without room reports go on without new ones. */
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
  let hasRoom = true
  let lookedAt = -Infinity

  async function look(): Promise<void> {
    if (clock.steady() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = clock.steady()
    const { leftBytes } = await budget.state()
    if (hasRoom && leftBytes <= 0) log.warn('the disk budget is used up: reports go on without new pictures')
    hasRoom = leftBytes > 0
  }

  return {
    async keep(batches) {
      if (batches.length === 0) return
      await look()
      if (!hasRoom) return
      const rows = []
      for (const { processId, pictures } of batches)
        for (const picture of pictures) rows.push(await files.write(processId, picture))
      for (const unwanted of await store.put(rows)) await files.remove(unwanted)
    },
  }
}
