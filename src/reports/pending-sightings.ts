import { type ProcessBrief } from '../core/events.ts'
import { type Scene } from '../core/scene.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type LastFrame } from './report.ts'

interface Held {
  readonly accountId: string
  scenes: Scene[]
  /** Of the scenes, as `sizeOf` counts. */
  size: number
  /** How often it could not be written while another process's could. */
  refusals: number
  /** Undefined where there are pictures only. */
  lastFrame: LastFrame | undefined
  /** The newest of each track, role and slot. */
  readonly pictures: Map<string, TrackPicture>
}

/** What was seen by one process and is not written yet. */
export type Pending = Readonly<Held>

/** Whose sightings: of one process, of one account, or of all where both are left out. */
export interface PendingFilter {
  readonly processId?: string
  readonly accountId?: string
}

/** What processes saw since it was last written, within bounds of memory. */
export interface PendingSightings {
  readonly isEmpty: boolean
  addScene(process: ProcessBrief, scene: Scene, heardAt: number): void
  addPictures(process: ProcessBrief, pictures: readonly TrackPicture[]): void
  /** Takes out what there is. Its pictures count until `releasePictures`. */
  take(filter?: PendingFilter): ReadonlyMap<string, Pending>
  releasePictures(taken: ReadonlyMap<string, Pending>): void
  /** What could not be written comes before what was seen since. */
  putBack(processId: string, before: Pending): void
  /** How many sightings were lost since the last call, because there was no room. */
  takeLost(): number
}

/**
 * Of all processes together; a hundred times what comes between two flushes. One may hold as much as is left free, so that there is
 * always room for the next. What comes while it is full is lost.
 */
const MAX_SIGHTINGS = 200_000
const MAX_PICTURE_BYTES = 64 * 2 ** 20

export function createPendingSightings(): PendingSightings {
  const pending = new Map<string, Held>()
  let sightings = 0
  let pictureBytes = 0
  let lost = 0

  function pendingOf(processId: string, accountId: string): Held {
    let found = pending.get(processId)
    if (!found) pending.set(processId, (found = newPending(accountId)))
    return found
  }

  return {
    get isEmpty() {
      return pending.size === 0
    },
    addScene({ processId, accountId }, scene, heardAt) {
      const size = sizeOf(scene)
      const held = pending.get(processId)?.size ?? 0
      if (held + sightings + size > MAX_SIGHTINGS) return void (lost += scene.tracks.length)
      sightings += size
      const one = pendingOf(processId, accountId)
      one.size += size
      one.scenes.push(scene)
      one.lastFrame = { takenAt: scene.takenAtMs, heardAt }
    },
    addPictures({ processId, accountId }, pictures) {
      for (const picture of pictures) {
        if (pictureBytes + picture.jpeg.byteLength > MAX_PICTURE_BYTES) return
        const kept = pendingOf(processId, accountId).pictures
        const key = `${picture.trackId} ${picture.role} ${picture.slot}`
        pictureBytes += picture.jpeg.byteLength - (kept.get(key)?.jpeg.byteLength ?? 0)
        kept.set(key, picture)
      }
    },
    take({ processId, accountId } = {}) {
      const isAsked = ([id, held]: [string, Held]) =>
        (processId ?? id) === id && (accountId ?? held.accountId) === held.accountId
      const taken = new Map([...pending].filter(isAsked))
      for (const [id, { size }] of taken) {
        pending.delete(id)
        sightings -= size
      }
      return taken
    },
    releasePictures(taken) {
      for (const { pictures } of taken.values())
        for (const { jpeg } of pictures.values()) pictureBytes -= jpeg.byteLength
    },
    putBack(processId, before) {
      const now = pendingOf(processId, before.accountId)
      now.scenes = [...before.scenes, ...now.scenes]
      now.size += before.size
      now.refusals = before.refusals
      now.lastFrame ??= before.lastFrame
      sightings += before.size
      for (const [key, picture] of before.pictures) {
        if (now.pictures.has(key)) continue
        now.pictures.set(key, picture)
        pictureBytes += picture.jpeg.byteLength
      }
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
  }
}

function newPending(accountId: string): Held {
  return { accountId, scenes: [], size: 0, refusals: 0, lastFrame: undefined, pictures: new Map() }
}

/** A frame counts too, since without tracks it is kept as well. */
function sizeOf({ tracks }: Scene): number {
  return tracks.length + 1
}
