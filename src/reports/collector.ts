import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type Log } from '../observe/log.ts'
import { type PictureWriter } from './picture-writer.ts'
import { type LastFrame } from './report.ts'
import { type TrackStore } from './tracks.store.ts'

/** Takes what processes see, and writes it down a few times a minute: what a `kill -9` loses is two seconds old. */
export interface Collector {
  onScene(event: AppEvents['scene']): void
  onPictures(event: AppEvents['track-pictures']): void
  /** Resolves when all that has come so far, or that of one process, is written; rejects when it can't be. */
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
  scenes: Scene[]
  lastFrame: LastFrame | undefined
  /** The newest of each track, role and slot. */
  readonly pictures: Map<string, TrackPicture>
}

const FLUSH_EVERY_MS = 2_000
/** Of all processes together; a hundred times what comes between two flushes. What comes while it is full is lost. */
const MOST_SIGHTINGS = 200_000
const MOST_PICTURE_BYTES = 64 * 2 ** 20

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

  function pendingOf(processId: string): Pending {
    let found = pending.get(processId)
    if (!found) pending.set(processId, (found = { scenes: [], lastFrame: undefined, pictures: new Map() }))
    return found
  }

  async function write(processId?: string): Promise<void> {
    if (lost > 0) log.error({ lost }, 'reports could not be written in time: some of what was seen is not in them')
    lost = 0
    const taken = take(processId)
    if (taken.size === 0) return
    const size = sizeOf(taken)
    sightings -= size
    const scenes = [...taken].flatMap(([processId, { scenes, lastFrame }]) =>
      lastFrame ? [{ processId, scenes, lastFrame }] : [],
    )
    try {
      if (scenes.length > 0) await tracks.write(scenes)
    } catch (error) {
      putBack(taken, size)
      throw error
    }
    pictureBytes = 0
    for (const { pictures } of pending.values())
      for (const { jpeg } of pictures.values()) pictureBytes += jpeg.byteLength
    // After the tracks that they show. They are not tried again: the report goes on without, and a better one may come.
    const batches = [...taken].flatMap(([processId, one]) =>
      one.pictures.size > 0 ? [{ processId, pictures: [...one.pictures.values()] }] : [],
    )
    await pictures
      .keep(batches)
      .catch((error: unknown) => log.error({ err: error }, 'pictures of tracks could not be kept'))
  }

  function take(processId: string | undefined): Map<string, Pending> {
    const taken = new Map([...pending].filter(([id]) => processId === undefined || id === processId))
    for (const id of taken.keys()) pending.delete(id)
    return taken
  }

  function putBack(taken: ReadonlyMap<string, Pending>, size: number): void {
    for (const [processId, before] of taken) {
      const now = pendingOf(processId)
      now.scenes = [...before.scenes, ...now.scenes]
      now.lastFrame ??= before.lastFrame
      for (const [key, picture] of before.pictures) if (!now.pictures.has(key)) now.pictures.set(key, picture)
    }
    sightings += size
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
      const size = scene.tracks.length + 1
      if (sightings + size > MOST_SIGHTINGS) return void (lost += scene.tracks.length)
      sightings += size
      const one = pendingOf(process.processId)
      one.scenes.push(scene)
      one.lastFrame = { takenAt: scene.takenAtMs, heardAt: clock.now() }
    },
    onPictures({ process, pictures }) {
      if (!process.isReported) return
      for (const picture of pictures) {
        if (pictureBytes + picture.jpeg.byteLength > MOST_PICTURE_BYTES) return
        const kept = pendingOf(process.processId).pictures
        const key = `${picture.trackId} ${picture.role} ${picture.slot}`
        pictureBytes += picture.jpeg.byteLength - (kept.get(key)?.jpeg.byteLength ?? 0)
        kept.set(key, picture)
      }
    },
    flush,
    without: (processId, action) =>
      inTurn(() => {
        sightings -= sizeOf(take(processId))
        return action()
      }),
    async close() {
      closing.abort()
      await looping
      await flush().catch((error: unknown) => log.error({ err: error }, 'what was seen last could not be written'))
    },
  }
}

/** A frame counts too, since without tracks it is kept as well. */
function sizeOf(taken: ReadonlyMap<string, Pending>): number {
  let size = 0
  for (const { scenes } of taken.values()) for (const { tracks } of scenes) size += tracks.length + 1
  return size
}
