import { describe, expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import { DetectionTrack } from '../core/detection-track.ts'
import {
  join,
  Notification,
  newTracksNotification,
  processStateNotification,
  split,
  targetCountNotification,
  toTimestamp,
} from './webhooks.messages.ts'

const processId = '00000000-0000-7000-8000-000000000001'

test('a time has the form of the interface', () => {
  expect(toTimestamp(Date.UTC(2026, 10, 15, 8, 5, 9, 7))).toBe('2026-11-15 08:05:09.0070')
})

test('simple has boxes in input pixels, with numbers only', () => {
  const scene = aScene({ ids: [4, 5] })
  const sent = newTracksNotification({ processId, scene, format: 'simple' }, scene.tracks.slice(1))
  expect(sent).toEqual({
    process_uuid: processId,
    timestamp: '2026-01-01 00:00:00.0000',
    occurred_at: '2026-01-01T00:00:00.000Z',
    type: 'new-tracks',
    track_count: 1,
    detections: [{ topLeftX: 20, topLeftY: 10, height: 40, width: 50, id: 5, class: 1, track_id: 5, class_id: 1 }],
  })
  expect(Notification.parse(sent)).toEqual(sent)
})

test('full has whole tracks in the same envelope', () => {
  const scene = aScene({ ids: [4] })
  const sent = targetCountNotification({ processId, scene, format: 'full' }, 3)
  expect(sent).toMatchObject({ type: 'target-count', previous_count: 3, track_count: 1 })
  expect(sent).toMatchObject({ changes: [{ timestamp: '2026-01-01 00:00:00.0000', track_count: 1 }] })
  const [entry] = (sent as { detections: unknown[] }).detections
  expect(DetectionTrack.parse(entry)).toMatchObject({ track_id: 4, class_name: 'person', bbox: [20, 10, 50, 40] })
})

describe('joined', () => {
  const scene = (...ids: number[]) => aScene({ ids })

  test('new tracks are all included', () => {
    const one = newTracksNotification({ processId, scene: scene(1), format: 'simple' }, scene(1).tracks)
    const two = newTracksNotification({ processId, scene: scene(2, 3), format: 'simple' }, scene(2, 3).tracks)
    expect(join(one, two)).toMatchObject({ track_count: 3, detections: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  })

  test('counts have the first, the last, and every one between', () => {
    const steps = [scene(1), scene(1, 2), scene()].map((one, index) =>
      targetCountNotification({ processId, scene: one, format: 'simple' }, [0, 1, 2][index]!),
    )
    expect(steps.reduce(join)).toMatchObject({
      previous_count: 0,
      track_count: 0,
      detections: [],
      changes: [{ track_count: 1 }, { track_count: 2 }, { track_count: 0 }],
    })
  })

  test('states likewise', () => {
    const lost = { processId, previousState: 'running', state: 'reconnecting', reason: 'The source is away.' }
    const back = { processId, previousState: 'reconnecting', state: 'running', reason: null }
    expect(join(processStateNotification(lost, 1), processStateNotification(back, 2))).toEqual({
      process_uuid: processId,
      timestamp: '1970-01-01 00:00:00.0020',
      occurred_at: '1970-01-01T00:00:00.002Z',
      type: 'process-state',
      previous_state: 'running',
      state: 'running',
      reason: null,
      changes: [
        { timestamp: '1970-01-01 00:00:00.0010', state: 'reconnecting', reason: 'The source is away.' },
        { timestamp: '1970-01-01 00:00:00.0020', state: 'running', reason: null },
      ],
    })
  })
})

describe('split', () => {
  const at = (second: number) => ({ ...aScene({ ids: [second] }), takenAtMs: 1_000 * second })
  const joined = {
    'new-tracks': [1, 2, 3].map((n) => newTracksNotification({ processId, scene: at(n), format: 'simple' }, at(n).tracks)).reduce(join), // prettier-ignore
    'target-count': [1, 2, 3].map((n) => targetCountNotification({ processId, scene: { ...at(n), tracks: Array.from({ length: n }, () => at(n).tracks[0]!) }, format: 'simple' }, n - 1)).reduce(join), // prettier-ignore
    'process-state': ['a', 'b', 'c', 'd'].slice(1).map((state, n, states) => processStateNotification({ processId, state, previousState: ['a', ...states][n]!, reason: null }, 1_000 * (n + 1))).reduce(join), // prettier-ignore
  }

  test.each(Object.entries(joined))('%s is what it was when it is joined again', (_type, whole) => {
    for (const count of [1, 2]) {
      const parts = split(whole, count)
      for (const part of parts) expect(Notification.parse(part)).toEqual(part)
      expect(parts.reduce(join)).toEqual(whole)
    }
  })

  test('the first part says how it was then, and the other goes on from there', () => {
    const [first, others] = split(joined['target-count'], 2)
    expect(first).toMatchObject({ occurred_at: '1970-01-01T00:00:02.000Z', previous_count: 0, track_count: 2 })
    expect(others).toMatchObject({ occurred_at: '1970-01-01T00:00:03.000Z', previous_count: 2, track_count: 3 })
    const states = split(joined['process-state'], 1)
    expect(states).toMatchObject([{ previous_state: 'a', state: 'b' }, { previous_state: 'b', state: 'd' }]) // prettier-ignore
  })
})
