import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { type EventPictures } from '../core/event-pictures.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { createRefusalLog } from '../observe/refusal-log.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type GrowthRoom } from '../storage/growth-room.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { type AlertEventStore } from './alert-events.store.ts'

/** The pictures of alert events, a folder a process. One is written after the row of its event. */
export interface EventPictureFiles extends EventPictures {
  /** Its picture, in base64, is on its way; null where none comes. */
  expect(eventId: string, picture: Promise<string | null>): void
  /** Resolves when its picture is written; with undefined where there is none, or no room for it. */
  write(event: EventOfPicture): Promise<WrittenPicture | undefined>
  /** Of events that are removed nothing is written any more. */
  forget(eventIds: readonly string[]): void
  /** What has not come yet is waited for no longer. */
  giveUp(): void
}

export type EventOfPicture = Pick<AlertEventRow, 'id' | 'process_id' | 'account_id'>
export interface WrittenPicture {
  /** Below the data folder. */
  readonly file: string
  readonly sizeBytes: number
}

export interface EventPictureDeps {
  readonly dataDir: string
  readonly store: Pick<AlertEventStore, 'find'>
  readonly places: Pick<FilePlaces, 'read'>
  readonly room: GrowthRoom
  readonly clock: Clock
  readonly log: Log
}

interface Expected {
  /** In base64; null where none comes, or it is given up. */
  readonly picture: Deferred<string | null>
  readonly settled: Deferred<void>
}

/** The first part of their names below the data folder. */
export const EVENTS = 'events'
/** Pictures that come before the rows of their events are on disk: 80 kB each; of more the oldest are lost. */
const MAX_EXPECTED = 500
/** Known without the database. */
const MAX_RECENT = 1_000

/** Also of an event that has no picture: whatever a crash may have left of one is found by it. */
export const eventPictureFile = ({ id, process_id }: Pick<AlertEventRow, 'id' | 'process_id'>) =>
  `${EVENTS}/${process_id}/${id}.jpg`

export function createEventPictureFiles(deps: EventPictureDeps): EventPictureFiles {
  const { dataDir, store, places, room, clock, log } = deps
  const expected = new Map<string, Expected>()
  /** Files by their events. */
  const recent = new Map<string, string>()
  const warn = { info: (fields: object, text: string) => log.warn(fields, text) }
  const failureLog = createRefusalLog(warn, () => clock.steady(), 1, 60_000)

  async function write(event: EventOfPicture, base64: string): Promise<WrittenPicture | undefined> {
    if (!(await room.hasRoom(event.account_id))) return undefined
    const file = eventPictureFile(event)
    const jpeg = Buffer.from(base64, 'base64')
    try {
      // The folder goes with the last file that is removed from it, which may be in between.
      await writeWhole(join(dataDir, file), jpeg).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        return writeWhole(join(dataDir, file), jpeg)
      })
    } catch (error) {
      failureLog.note({ err: error }, 'a picture of an alert event could not be written')
      return undefined
    }
    recent.set(event.id, file)
    dropOldest(recent, MAX_RECENT)
    return { file, sizeBytes: jpeg.length }
  }

  /** Messages go out without their pictures rather than that they wait for the database. */
  async function findFile(eventId: string): Promise<string | null | undefined> {
    try {
      return (await store.find(eventId))?.file
    } catch (error) {
      if (isDatabaseAway(error)) return undefined
      throw error
    }
  }

  return {
    expect(eventId, picture) {
      const one: Expected = { picture: createDeferred(), settled: createDeferred() }
      const give = (base64: string | null) => one.picture.resolve(base64)
      picture.then(give, () => give(null))
      expected.set(eventId, one)
      dropOldest(expected, MAX_EXPECTED)
    },
    async write(event) {
      const one = expected.get(event.id)
      if (!one) return undefined
      try {
        const base64 = await one.picture.promise
        return base64 !== null && expected.get(event.id) === one ? await write(event, base64) : undefined
      } finally {
        expected.delete(event.id)
        one.settled.resolve()
      }
    },
    forget(eventIds) {
      for (const id of eventIds) {
        expected.get(id)?.picture.resolve(null)
        expected.delete(id)
        recent.delete(id)
      }
    },
    giveUp() {
      for (const { picture } of expected.values()) picture.resolve(null)
    },
    async read(eventId, { waitMs }) {
      const settled = expected.get(eventId)?.settled.promise
      if (settled) await isSettledWithin(settled, waitMs, clock)
      const file = recent.get(eventId) ?? (await findFile(eventId))
      return file ? places.read(file) : undefined
    },
  }
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.partial`, bytes)
  await rename(`${path}.partial`, path)
}
