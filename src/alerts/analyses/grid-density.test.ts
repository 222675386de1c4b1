import { expect, test } from 'vitest'
import { aSetup, aTrack, aTrackAt, sceneAt } from '../../../test/builders/alerts.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { gridDensity } from './grid-density.ts'
import { createLastNotification } from './last-notification.ts'

const create = (setup: Parameters<typeof gridDensity.create>[0]) =>
  gridDensity.create(setup, { lastNotification: createLastNotification(), sceneOf: () => null })

const crowd = (count: number, at: readonly [number, number] = [0.1, 0.9]): SceneTrack[] =>
  Array.from({ length: count }, (_, index) => aTrack(index + 1, at))

function run(
  analysis: ReturnType<typeof gridDensity.create>,
  scenes: readonly (readonly SceneTrack[])[],
  stepMs = 500,
) {
  return scenes.flatMap((tracks, index) =>
    analysis.update(sceneAt(index * stepMs, tracks)).map(({ event, data }) => ({ event, at: index * stepMs, data })),
  )
}

test('a crowd in one cell is told with the whole grid, and its end too', () => {
  const analysis = create(
    aSetup({
      type: 'grid-density',
      trigger: { min_count: 3, for_seconds: 1, cooldown_seconds: 0 },
      parameters: { rows: 2, columns: 3 },
    }),
  )
  const other = aTrack(9, [0.99, 0.2])
  const events = run(analysis, [
    [...crowd(2), other],
    [...crowd(3), other],
    [...crowd(3), other],
    [...crowd(4), other],
    ...Array.from({ length: 6 }, () => [other]),
  ])
  expect(events).toEqual([
    {
      event: 'started',
      at: 1500,
      data: {
        total_count: 5,
        highest_count: 4,
        rows: 2,
        columns: 3,
        grid: [
          [0, 0, 1],
          [4, 0, 0],
        ],
      },
    },
    {
      event: 'ended',
      at: 4000,
      data: {
        total_count: 1,
        highest_count: 1,
        rows: 2,
        columns: 3,
        grid: [
          [0, 0, 1],
          [0, 0, 0],
        ],
        reason: 'below-min-count',
      },
    },
  ])
})

test('as many spread over several cells are no crowd', () => {
  const analysis = create(
    aSetup({ type: 'grid-density', trigger: { min_count: 3, for_seconds: 0 }, parameters: { rows: 1, columns: 2 } }),
  )
  expect(run(analysis, [[...crowd(2), ...crowd(2, [0.9, 0.5])]])).toEqual([])
})

test('one who is missed now and then makes no noise', () => {
  const analysis = create(aSetup({ type: 'grid-density', trigger: { min_count: 3, for_seconds: 0 } }))
  const scenes = Array.from({ length: 60 }, (_, index) => crowd(index % 3 === 0 ? 2 : 3))
  expect(run(analysis, scenes).map(({ event }) => event)).toEqual(['started'])
})

test('rows and columns lie over the region, and only what is in it counts', () => {
  const region = {
    type: 'polygon' as const,
    points: [
      [0.5, 0.5],
      [1, 0.5],
      [1, 1],
      [0.5, 1],
    ] as [number, number][],
  }
  const analysis = create(
    aSetup({
      type: 'grid-density',
      trigger: { min_count: 1, for_seconds: 0 },
      parameters: { rows: 2, columns: 2 },
      region,
    }),
  )
  const [started] = run(analysis, [[aTrack(1, [0.1, 0.9]), aTrack(2, [0.6, 0.9])]])
  expect(started!.data).toMatchObject({
    total_count: 1,
    grid: [
      [0, 0],
      [1, 0],
    ],
  })
})

test('cells in metres stay on the ground while the camera moves', () => {
  const setup = aSetup({
    type: 'grid-density',
    trigger: { min_count: 2, for_seconds: 0 },
    parameters: { cell_meters: 50 },
  })
  // Two who stand five metres apart, seen anywhere in the picture.
  const there = [aTrackAt(1, 48.1373, 11.5754), aTrackAt(2, 48.13734, 11.5754)]
  const cells = [0, 1].map(() => {
    const [started] = run(create(setup), [there])
    return started!.data['cells'] as { latitude: number; longitude: number; count: number }[]
  })
  expect(cells[0]).toEqual(cells[1])
  expect(cells[0]).toHaveLength(1)
  const [{ latitude, longitude, count }] = cells[0] as [(typeof cells)[0][0]]
  expect(count).toBe(2)
  // The middle of the cell is at most half a cell away, about.
  expect(Math.abs(latitude - 48.1373)).toBeLessThan(26 / 111_195)
  expect(Math.abs(longitude - 11.5754)).toBeLessThan(26 / 74_000)
})

test('neighbours on both sides of the antimeridian are in cells of their own, with proper longitudes', () => {
  const analysis = create(
    aSetup({
      type: 'grid-density',
      trigger: { min_count: 1, for_seconds: 0 },
      parameters: { cell_meters: 1000 },
    }),
  )
  const [started] = run(analysis, [
    [aTrackAt(1, -17.5, 179.9999), aTrackAt(2, -17.5, -179.9999), aTrackAt(3, -17.5, 180)],
  ])
  const cells = started!.data['cells'] as { longitude: number; count: number }[]
  expect(cells.map(({ count }) => count)).toEqual([2, 1])
  for (const { longitude } of cells) expect(Math.abs(longitude)).toBeGreaterThan(179.99)
  for (const { longitude } of cells) expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
})

test('the rows of a geographic region go from north to south', () => {
  const analysis = create(
    aSetup({
      type: 'grid-density',
      trigger: { min_count: 1, for_seconds: 0 },
      parameters: { rows: 2, columns: 2 },
      region: {
        type: 'geo_polygon',
        points: [
          [50, 10],
          [50, 10.01],
          [50.01, 10.01],
          [50.01, 10],
        ],
      },
    }),
  )
  const [started] = run(analysis, [[aTrackAt(1, 50.009, 10.009), aTrackAt(2, 50.02, 10.005), aTrack(3, [0.5, 0.5])]])
  expect(started!.data).toMatchObject({
    total_count: 1,
    grid: [
      [0, 1],
      [0, 0],
    ],
  })
})

test('what went on is over when the process is', () => {
  const analysis = create(aSetup({ type: 'grid-density', trigger: { min_count: 1, for_seconds: 0 } }))
  expect(analysis.end('process-ended')).toEqual([])
  run(analysis, [crowd(1)])
  expect(analysis.end('process-ended')).toMatchObject([{ event: 'ended', data: { reason: 'process-ended' } }])
})

test('a clock that is set back neither starts nor ends anything', () => {
  const analysis = create(aSetup({ type: 'grid-density', trigger: { min_count: 3, for_seconds: 5 } }))
  const at = (ms: number, count: number) => analysis.update(sceneAt(ms, crowd(count))).map(({ event }) => event)
  expect(at(1_000_000, 3)).toEqual([])
  expect(at(1_001_000, 3)).toEqual([])
  expect(at(0, 3)).toEqual([])
  expect(at(1_000, 3)).toEqual([])
  expect(at(1_100_000, 3)).toEqual([])
  for (const ms of [0, 1000, 2000, 3000]) expect(at(1_100_500 + ms, 3)).toEqual([])
  expect(at(1_105_000, 3)).toEqual(['started'])
  expect(at(500, 0)).toEqual([])
  expect(at(1_200_000, 0)).toEqual([])
})
