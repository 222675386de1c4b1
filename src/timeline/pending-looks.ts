import { type ProcessRef } from '../core/process-facts.ts'
import { type RecordedLook, type RecordedTrack } from '../core/recorded-look.ts'
import { type Scene } from '../core/scene.ts'

/** What was seen and is not written yet, in memory. */
export interface PendingLooks {
  /** How many sightings of its process wait by now. */
  add(process: ProcessRef, scene: Scene): number
  take(filter?: PendingFilter): PendingOfProcess[]
  /** Ahead of what came meanwhile. */
  putBack(taken: PendingOfProcess): void
  /** How many looks were lost for want of room since it was last asked. */
  takeLost(): number
}

export interface PendingFilter {
  readonly processId?: string
  readonly sourceId?: string
  readonly accountId?: string
}

export interface PendingOfProcess {
  readonly process: ProcessRef
  readonly looks: readonly RecordedLook[]
}

/** As they take it in memory, about. */
const LOOK_BYTES = 150
const TRACK_BYTES = 300
const MAX_PENDING_BYTES = 64 * 2 ** 20

interface Waiting {
  readonly process: ProcessRef
  readonly looks: RecordedLook[]
  sightings: number
}

/** Of more than fits the newest are lost: what was there before it is whole. */
export function createPendingLooks(maxBytes = MAX_PENDING_BYTES): PendingLooks {
  const waiting = new Map<string, Waiting>()
  let bytes = 0
  let lost = 0

  return {
    add(process, scene) {
      const { processId, accountId, sourceId } = process
      const one = waiting.get(processId) ?? { process: { processId, accountId, sourceId }, looks: [], sightings: 0 }
      const look = toRecordedLook(scene)
      if (bytes + bytesOf(look) > maxBytes) {
        lost++
        return one.sightings
      }
      waiting.set(processId, one)
      one.looks.push(look)
      one.sightings += look.tracks.length
      bytes += bytesOf(look)
      return one.sightings
    },
    take({ processId, sourceId, accountId } = {}) {
      const taken = [...waiting.values()].filter(
        ({ process }) =>
          (processId ?? process.processId) === process.processId &&
          (sourceId ?? process.sourceId) === process.sourceId &&
          (accountId ?? process.accountId) === process.accountId,
      )
      for (const { process, looks } of taken) {
        waiting.delete(process.processId)
        bytes -= sumOf(looks)
      }
      return taken.map(({ process, looks }) => ({ process, looks }))
    },
    putBack({ process, looks }) {
      const since = waiting.get(process.processId)?.looks ?? []
      const all = [...looks, ...since]
      waiting.set(process.processId, { process, looks: all, sightings: sightingsOf(all) })
      bytes += sumOf(looks)
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
  }
}

const bytesOf = ({ tracks }: RecordedLook) => LOOK_BYTES + tracks.length * TRACK_BYTES
const sumOf = (looks: readonly RecordedLook[]) => looks.reduce((sum, look) => sum + bytesOf(look), 0)
const sightingsOf = (looks: readonly RecordedLook[]) => looks.reduce((sum, { tracks }) => sum + tracks.length, 0)

export function toRecordedLook({ takenAtMs, frame, tracks, camera }: Scene): RecordedLook {
  return {
    takenAtMs,
    width: frame.width,
    height: frame.height,
    tracks: tracks.map(({ id, classId, className, box, confidence, location }): RecordedTrack => {
      const point = location?.point
      return { id, classId, className, box, confidence, ...(point && { point }) }
    }),
    ...(camera && { camera: { point: camera.point, headingDeg: camera.headingDeg } }),
  }
}
