import { type Clock } from '../core/clock.ts'
import { type Log } from '../observe/log.ts'
import { type FileRemoval } from '../storage/file-removal.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type KeptFiles } from '../storage/kept-files.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { removeInParts } from '../storage/remove-in-parts.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { type AlertEventStore } from './alert-events.store.ts'
import { EVENTS, type EventPictureFiles, eventPictureFile } from './event-picture-files.ts'

export interface AlertEventKeeperDeps {
  readonly store: Omit<AlertEventStore, 'put' | 'find' | 'list'>
  readonly pictures: Pick<EventPictureFiles, 'forget'>
  readonly places: Pick<FilePlaces, 'forget' | 'withoutStored'>
  readonly fileRemoval: Pick<FileRemoval, 'removeHere' | 'leaveTo'>
  readonly clock: Clock
  readonly log: Log
}

/** Lets go of alert events, each with its picture: what is older than its account keeps, and what is deleted. */
export interface AlertEventKeeper {
  /** The pictures as the disk's budget counts them. */
  readonly kept: KeptFiles
  readonly job: JobKind
  remove(events: readonly AlertEventRow[]): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

const HOUR_MS = 3_600_000

export function createAlertEventKeeper(deps: AlertEventKeeperDeps): AlertEventKeeper {
  const { store, pictures, places, fileRemoval, clock, log } = deps

  /** The files first: what has no row is found by nobody. Those of another node go by a job of that one, which comes with the removal. */
  async function remove(events: readonly AlertEventRow[]): Promise<void> {
    if (events.length === 0) return
    pictures.forget(events.map(({ id }) => id))
    const elsewhere = new Map<string, Set<string>>()
    for (const { nodeId, file } of await store.listNodes(events, eventPictureFile))
      elsewhere.set(nodeId, (elsewhere.get(nodeId) ?? new Set()).add(file))
    const files = events.map(eventPictureFile)
    await places.forget(files)
    await fileRemoval.removeHere(files)
    await store.remove(events, async (tx) => {
      for (const [nodeId, left] of elsewhere) await fileRemoval.leaveTo(nodeId, [...left], tx)
    })
  }

  return {
    kept: {
      isSlowToCount: true,
      heldBytes: async () => places.withoutStored(EVENTS, await store.heldBytes()),
    },
    job: {
      kind: 'alert-event-retention',
      everyMs: HOUR_MS,
      async handle(_job, signal) {
        const list = (limit: number) => store.listExpired(clock.now(), limit)
        const removed = await removeInParts({ list, remove, signal })
        if (removed > 0) log.info({ events: removed }, 'alert events past their retention removed')
      },
    },
    remove,
    async removeAllOf(accountId) {
      await removeInParts({ list: (limit) => store.listOfAccount(accountId, limit), remove })
    },
  }
}
