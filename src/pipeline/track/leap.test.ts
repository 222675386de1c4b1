import { describe, expect, test } from 'vitest'
import { type TrackerInput } from './live-track.ts'
import { createTracker } from './tracker.ts'

const drone = (x: number, y: number, side = 20, name = 'drone'): TrackerInput => ({
  box: { x, y, width: side, height: side },
  confidence: 0.6,
  classId: name === 'drone' ? 0 : 3,
  className: name,
})

/** Half a second of one scene, a gap, and half a second of another, at 30 frames a second; answers the ids of each, and the last tracks. */
function follow(before: TrackerInput[], gapSeconds: number, after: TrackerInput[], leap = 4) {
  const tracker = createTracker({ assumedConfidence: 0.65, leap })
  let timeMs = 0
  const half = (detections: TrackerInput[]) => {
    let ids: number[] = []
    let tracks: ReturnType<typeof tracker.update> = []
    for (let frame = 0; frame < 15; frame++) {
      tracks = tracker.update({ timeMs: (timeMs += 1000 / 30), detections })
      ids = tracks.filter(({ matchedNow }) => matchedNow).map(({ id }) => id)
    }
    return { ids, tracks }
  }
  const first = half(before)
  timeMs += 1000 * gapSeconds
  const second = half(after)
  return { before: first.ids, after: second.ids, tracks: second.tracks }
}

describe('a drone that is lost and turns up elsewhere', () => {
  test.each([
    { name: 'near by is the same', after: [drone(160, 100)], gap: 0, ids: [1] },
    { name: 'farther away is the same after more time', after: [drone(220, 100)], gap: 1, ids: [1] },
    { name: 'far away is another', after: [drone(220, 100)], gap: 0, ids: [2] },
    { name: 'much larger is another', after: [drone(150, 100, 50)], gap: 0, ids: [2] },
  ])('$name', ({ after, gap, ids }) => {
    expect(follow([drone(100, 100)], gap, after)).toMatchObject({ before: [1], after: ids })
  })

  test('may be either of two, and so is neither', () => {
    expect(follow([drone(100, 100), drone(180, 100)], 0, [drone(140, 140)]).after).toEqual([3])
  })

  test('is another while the first is still there', () => {
    expect(follow([drone(100, 100)], 0, [drone(100, 100), drone(160, 100)]).after).toEqual([1, 2])
  })

  test('keeps its age and its name', () => {
    const { tracks } = follow([drone(100, 100)], 0, [drone(160, 100, 20, 'bird')])
    expect(tracks).toHaveLength(1)
    expect(tracks[0]!.className).toBe('drone')
    expect(tracks[0]!.ageMs).toBeGreaterThan(900)
  })

  test('is another where things crowd', () => {
    expect(follow([drone(100, 100)], 0, [drone(160, 100)], 0).after).toEqual([2])
  })
})
