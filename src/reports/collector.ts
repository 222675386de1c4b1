import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type PictureWriter } from './picture-writer.ts'
import { type LastFrame } from './report.ts'
import { type SceneBatch, type TrackStore } from './tracks.store.ts'

/** Takes what processes see, and writes it down a few times a minute: what a `kill -9` loses is two seconds old. */
export interface Collector {
  onScene(event: AppEvents['scene']): void
  onPictures(event: AppEvents['track-pictures']): void
  /** Resolves when all that has come so far, or that of one process, is written; rejects when some of it can't be. */
  flush(processId?: string): Promise<void>
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

interface Pending {
  readonly accountId: string
  scenes: Scene[]
  /** Of the scenes, as `sizeOf` counts. */
  size: number
  /** How often it could not be written while another process's could. */
  refusals: number
  lastFrame: LastFrame | undefined
  /** The newest of each track, role and slot. */
  readonly pictures: Map<string, TrackPicture>
}

const FLUSH_EVERY_MS = 2_000
/**
 * Of all processes together; a hundred times what comes between two flushes. One may hold as much as is left free, so that there is
 * always room for the next. What comes while it is full is lost.
 */
const MAX_SIGHTINGS = 200_000
/** What is refused so often while others are written is at fault itself: it is let go, and its process begins anew. */
const MAX_REFUSALS = 5
const MAX_PICTURE_BYTES = 64 * 2 ** 20

export function createCollector({ tracks, pictures, clock, log }: CollectorDeps): Collector {
  const pending = new Map<string, Pending>()
  let sightings = 0
  let pictureBytes = 0
  let lost = 0
  /** Writing, removing: one after the other. */
  let turn: Promise<unknown> = Promise.resolve()
  const closing = new AbortController()
  const looping = loop()

  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const done = turn.then(action)
    turn = done.catch(() => {})
    return done
  }

  function pendingOf(processId: string, accountId: string): Pending {
    let found = pending.get(processId)
    if (!found) pending.set(processId, (found = newPending(accountId)))
    return found
  }

  async function write(processId?: string): Promise<void> {
    if (lost > 0) log.error({ lost }, 'reports could not be written in time: some of what was seen is not in them')
    lost = 0
    const taken = take(processId)
    if (taken.size === 0) return
    for (const { size } of taken.values()) sightings -= size
    const failures = await writeTracks(taken)
    const isSomeWritten = [...taken].some(([id, { lastFrame }]) => lastFrame && !failures.has(id))
    for (const [id, one] of taken) if (failures.has(id)) keepOrForget(id, one, isSomeWritten)
    countPictures()
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
    if (refusals < MAX_REFUSALS) return putBack(processId, { ...before, refusals })
    const frames = before.scenes.length
    log.error({ process_uuid: processId, frames }, 'a report could not be written: some of what was seen is not in it')
  }

  function countPictures(): void {
    pictureBytes = 0
    for (const { pictures } of pending.values())
      for (const { jpeg } of pictures.values()) pictureBytes += jpeg.byteLength
  }

  function take(processId: string | undefined): Map<string, Pending> {
    const taken = new Map([...pending].filter(([id]) => processId === undefined || id === processId))
    for (const id of taken.keys()) pending.delete(id)
    return taken
  }

  function putBack(processId: string, before: Pending): void {
    const now = pendingOf(processId, before.accountId)
    now.scenes = [...before.scenes, ...now.scenes]
    now.size += before.size
    now.refusals = before.refusals
    now.lastFrame ??= before.lastFrame
    for (const [key, picture] of before.pictures) if (!now.pictures.has(key)) now.pictures.set(key, picture)
    sightings += before.size
  }

  const flush = (processId?: string) => inTurn(() => write(processId))

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(FLUSH_EVERY_MS, closing.signal)
      if (pending.size > 0)
        await flush().catch((error: unknown) => log.error({ err: error }, 'reports could not be written; trying again'))
    }
  }

  return {
    onScene({ process, scene }) {
      if (!process.isReported) return
      const size = sizeOf(scene)
      const held = pending.get(process.processId)?.size ?? 0
      if (held + sightings + size > MAX_SIGHTINGS) return void (lost += scene.tracks.length)
      sightings += size
      const one = pendingOf(process.processId, process.accountId)
      one.size += size
      one.scenes.push(scene)
      one.lastFrame = { takenAt: scene.takenAtMs, heardAt: clock.now() }
    },
    onPictures({ process, pictures }) {
      if (!process.isReported) return
      for (const picture of pictures) {
        if (pictureBytes + picture.jpeg.byteLength > MAX_PICTURE_BYTES) return
        const kept = pendingOf(process.processId, process.accountId).pictures
        const key = `${picture.trackId} ${picture.role} ${picture.slot}`
        pictureBytes += picture.jpeg.byteLength - (kept.get(key)?.jpeg.byteLength ?? 0)
        kept.set(key, picture)
      }
    },
    flush,
    without: (processId, action) =>
      inTurn(() => {
        for (const { size } of take(processId).values()) sightings -= size
        countPictures()
        return action()
      }),
    async close() {
      closing.abort()
      await looping
      await flush().catch((error: unknown) => log.error({ err: error }, 'what was seen last could not be written'))
    },
  }
}

function newPending(accountId: string): Pending {
  return { accountId, scenes: [], size: 0, refusals: 0, lastFrame: undefined, pictures: new Map() }
}

/** A frame counts too, since without tracks it is kept as well. */
function sizeOf({ tracks }: Scene): number {
  return tracks.length + 1
}
