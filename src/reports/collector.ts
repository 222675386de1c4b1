import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { createPendingSightings, type Pending, type PendingFilter } from './pending-sightings.ts'
import { type PictureWriter } from './picture-writer.ts'
import { type SceneBatch, type TrackStore } from './tracks.store.ts'

/** Takes what processes see, and writes it down a few times a minute: what a `kill -9` loses is two seconds old. */
export interface Collector {
  onScene(event: AppEvents['scene']): void
  onPictures(event: AppEvents['track-pictures']): void
  /** Resolves when all that has come so far, or that of one process or account, is written; rejects when some of it can't be. */
  flush(filter?: PendingFilter): Promise<void>
  /** Forgets what is not yet written of a process, and runs `action` while nothing is being written. */
  without<T>(processId: string, action: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface CollectorDeps {
  readonly tracks: Pick<TrackStore, 'write'>
  readonly pictures: PictureWriter
  readonly clock: Clock
  readonly log: Log
}

const FLUSH_EVERY_MS = 2_000
/** What is refused so often while others are written is at fault itself: it is dropped, and its process starts afresh. */
const MAX_REFUSALS = 5

export function createCollector({ tracks, pictures, clock, log }: CollectorDeps): Collector {
  const pending = createPendingSightings()
  const turns = createTurns()
  const closing = new AbortController()
  const looping = loop()

  async function write(filter?: PendingFilter): Promise<void> {
    const lost = pending.takeLost()
    if (lost > 0) log.error({ lost }, 'reports could not be written in time: some of what was seen is not in them')
    const taken = pending.take(filter)
    if (taken.size === 0) return
    const failures = await writeTracks(taken)
    const isSomeWritten = [...taken].some(([id, { lastFrame }]) => lastFrame && !failures.has(id))
    for (const [id, one] of taken) if (failures.has(id)) keepOrForget(id, one, isSomeWritten)
    pending.releasePictures(taken)
    // After the tracks that they show. They are not tried again: the report goes on without, and a better one may come.
    const batches = [...taken].flatMap(([processId, { accountId, pictures }]) =>
      pictures.size > 0 && !failures.has(processId) ? [{ processId, accountId, pictures: [...pictures.values()] }] : [],
    )
    await pictures
      .keep(batches)
      .catch((error: unknown) => log.error({ err: error }, 'pictures of tracks could not be kept'))
    for (const error of failures.values()) throw error
  }

  /** Together, since each write costs a wait for the disk; one by one when that fails: one must not keep the others waiting. */
  async function writeTracks(taken: ReadonlyMap<string, Pending>): Promise<Map<string, unknown>> {
    const batches = [...taken].flatMap(([processId, { scenes, lastFrame }]) =>
      lastFrame ? [{ processId, scenes, lastFrame }] : [],
    )
    const failures = new Map<string, unknown>()
    const write = (some: readonly SceneBatch[]) =>
      tracks.write(some).catch((error: unknown) => some.forEach(({ processId }) => failures.set(processId, error)))
    if (batches.length > 0) await write(batches)
    if (failures.size < 2) return failures
    failures.clear()
    for (const batch of batches) await write([batch])
    return failures
  }

  function keepOrForget(processId: string, before: Pending, isRefused: boolean): void {
    const refusals = before.refusals + Number(isRefused)
    if (refusals < MAX_REFUSALS) return pending.putBack(processId, { ...before, refusals })
    const frames = before.scenes.length
    log.error({ process_uuid: processId, frames }, 'a report could not be written: some of what was seen is not in it')
  }

  /** Writing, removing: one after the other, whichever reports it is about. */
  const inTurn = <T>(action: () => Promise<T>) => turns.take('reports', action)
  const flush = (filter?: PendingFilter) => inTurn(() => write(filter))

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(FLUSH_EVERY_MS, closing.signal)
      if (!pending.isEmpty)
        await flush().catch((error: unknown) => log.error({ err: error }, 'reports could not be written; trying again'))
    }
  }

  return {
    onScene({ process, scene }) {
      if (process.isReported) pending.addScene(process, scene, clock.now())
    },
    onPictures({ process, pictures }) {
      if (process.isReported) pending.addPictures(process, pictures)
    },
    flush,
    without: (processId, action) =>
      inTurn(async () => {
        pending.releasePictures(pending.take({ processId }))
        return action()
      }),
    async close() {
      closing.abort()
      await looping
      await flush().catch((error: unknown) => log.error({ err: error }, 'what was seen last could not be written'))
    },
  }
}
