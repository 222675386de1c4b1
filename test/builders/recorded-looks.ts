import { type RecordedLook, type RecordedTrack } from '../../src/core/recorded-look.ts'
import { type Scene } from '../../src/core/scene.ts'

/** What is seen at a moment: ids of tracks, or `[id, class]`. */
export type SeenIds = readonly (number | readonly [id: number, className: string])[]

const classIds = ['person', 'car', 'bicycle']

export function aRecordedTrack(id: number, className = 'person'): RecordedTrack {
  const box = { x: 10 * id, y: 20, width: 30, height: 60.5 }
  return { id, classId: classIds.indexOf(className), className, box, confidence: 0.9 }
}

export function aLookAt(takenAtMs: number, ids: SeenIds = [1]): RecordedLook {
  const tracks = ids.map((one) => (typeof one === 'number' ? aRecordedTrack(one) : aRecordedTrack(...one)))
  return { takenAtMs, width: 1920, height: 1080, tracks }
}

/** The same as it comes from a process. */
export function aSceneAt(takenAtMs: number, ids: SeenIds = [1]): Scene {
  const { width, height, tracks } = aLookAt(takenAtMs, ids)
  return { takenAtMs, frame: { width, height, ptsSeconds: 0, rtpTimestamp: null }, tracks }
}
