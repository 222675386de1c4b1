import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aSetup, aTrack, aTrackAt, sceneAt } from '../../../test/builders/alerts.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { type Analysis } from './analysis.ts'
import { flowControl, type FlowControlSetup } from './flow-control.ts'
import { createLastNotification } from './last-notification.ts'

const create = (setup: FlowControlSetup) =>
  flowControl.create(setup, { lastNotification: createLastNotification(), sceneOf: () => null })

type Trigger = Partial<FlowControlSetup['trigger']>

/** A line up through the middle of the picture: left is left. */
const middle = { name: 'middle', from: [0.5, 0.9] as [number, number], to: [0.5, 0.1] as [number, number] }
const flow = (trigger: Trigger = {}, lines: FlowControlSetup['parameters']['lines'] = [middle]): Analysis =>
  create(aSetup({ type: 'flow-control', trigger: { cooldown_seconds: 0, ...trigger }, parameters: { lines } }))

function walk(
  analysis: Analysis,
  path: readonly (readonly [number, number])[],
  { id = 1, fromMs = 0, stepMs = 100 } = {},
) {
  return path.flatMap((at, index) => analysis.update(sceneAt(fromMs + index * stepMs, [aTrack(id, at)])))
}

const across = (y: number, ...xs: number[]) => xs.map((x) => [x, y] as const)

test.each([
  { name: 'to the right', path: across(0.5, 0.3, 0.45, 0.55, 0.7), expected: ['left_to_right'] },
  { name: 'to the left', path: across(0.5, 0.7, 0.55, 0.45, 0.3), expected: ['right_to_left'] },
  { name: 'in one step', path: across(0.5, 0.1, 0.9), expected: ['left_to_right'] },
  { name: 'there and back', path: across(0.5, 0.3, 0.7, 0.3), expected: ['left_to_right', 'right_to_left'] },
  { name: 'up to the line and back', path: across(0.5, 0.3, 0.499, 0.501, 0.499, 0.3), expected: [] },
  {
    name: 'trembling on the line',
    path: across(0.5, 0.3, 0.499, 0.501, 0.499, 0.501, 0.7),
    expected: ['left_to_right'],
  },
  { name: 'beyond its end', path: across(0.95, 0.3, 0.7), expected: [] },
  {
    name: 'around its end and back through it',
    path: [...across(0.95, 0.3, 0.7), ...across(0.5, 0.7, 0.3)],
    expected: ['right_to_left'],
  },
  { name: 'appearing on the line', path: across(0.5, 0.501, 0.7), expected: [] },
])('$name', ({ path, expected }) => {
  expect(walk(flow(), path).map(({ data }) => data['direction'])).toEqual(expected)
})

test('left and right are as seen looking from `from` to `to`', () => {
  const down = { name: 'down', from: middle.to, to: middle.from }
  expect(walk(flow({}, [down]), across(0.5, 0.3, 0.7))[0]!.data['direction']).toBe('right_to_left')
  const eastward = { name: 'east', geo_from: [50, 10] as [number, number], geo_to: [50, 10.01] as [number, number] }
  const analysis = flow({}, [eastward])
  const northward = [49.999, 49.9999, 50.0001, 50.001].flatMap((latitude, index) =>
    analysis.update(sceneAt(index * 100, [aTrackAt(1, latitude, 10.005)])),
  )
  // Who looks east has the north at the left.
  expect(northward.map(({ data }) => data['direction'])).toEqual(['right_to_left'])
})

test('however a box trembles, one walk across is one crossing', () => {
  // 0.15 of the box's size, in fractions of the picture's width.
  const tremble = fc.double({ min: -0.0025, max: 0.0025, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(tremble, { minLength: 100, maxLength: 100 }),
      fc.integer({ min: 0, max: 60 }),
      (noise, stay) => {
        const ways = noise.map((by, index) => {
          const step = index < 20 ? index : index < 20 + stay ? 20 : index - stay
          return [0.4 + step * 0.005 + by, 0.5 + by] as const
        })
        const crossings = walk(flow(), [...ways, [0.9, 0.5]]).map(({ data }) => data['direction'])
        expect(crossings).toEqual(['left_to_right'])
      },
    ),
  )
})

test('a trembling place is one crossing of a line on the ground, wherever that is', () => {
  const tremble = fc.double({ min: -0.4, max: 0.4, noNaN: true })
  const longitude = fc.constantFrom(-180, -179.9999, 0, 11.5, 179.9999)
  fc.assert(
    fc.property(fc.array(tremble, { minLength: 60, maxLength: 60 }), longitude, (noise, at) => {
      const line = { name: 'border', geo_from: [10, at] as [number, number], geo_to: [10.001, at] as [number, number] }
      const analysis = flow({}, [line])
      const crossings = noise.flatMap((by, index) => {
        const eastM = (index - 30) * 0.2 + by
        const eastDeg = eastM / (111_319 * Math.cos((10 * Math.PI) / 180))
        const wrapped = ((at + eastDeg + 540) % 360) - 180
        return analysis.update(sceneAt(index * 100, [aTrackAt(1, 10.0005, wrapped)]))
      })
      expect(crossings.map(({ data }) => data['direction'])).toEqual(['left_to_right'])
    }),
  )
})

test('only the forbidden direction is told, with the counts of every line', () => {
  const upper = { name: 'upper', from: [0.2, 0.2] as [number, number], to: [0.8, 0.2] as [number, number] }
  const analysis = flow({ forbidden: 'right_to_left', window_seconds: 10 }, [middle, upper])
  expect(walk(analysis, across(0.5, 0.3, 0.7))).toEqual([])
  const [forbidden] = walk(analysis, across(0.5, 0.7, 0.3), { id: 2, fromMs: 1000 })
  expect(forbidden).toMatchObject({
    event: 'forbidden',
    data: {
      line: 'middle',
      direction: 'right_to_left',
      track: { track_id: 2, class_name: 'person', confidence: 80 },
      window_seconds: 10,
      lines: [
        { name: 'middle', left_to_right: 1, right_to_left: 1 },
        { name: 'upper', left_to_right: 0, right_to_left: 0 },
      ],
    },
  })
})

test('more crossings than allowed within the window are told once, and when they are no longer more', () => {
  const analysis = flow({ max_count: 2, window_seconds: 10 })
  const events: [number, string, unknown][] = []
  for (let second = 0; second < 30; second++) {
    // Somebody crosses in each of the first five seconds.
    const tracks = (x: number): SceneTrack[] => (second < 5 ? [aTrack(second + 1, [x, 0.5])] : [])
    for (const [x, ms] of [
      [0.3, 0],
      [0.7, 500],
    ] as const)
      for (const { event, data } of analysis.update(sceneAt(second * 1000 + ms, tracks(x))))
        events.push([second, event, data['lines']])
  }
  expect(events).toEqual([
    [2, 'started', [{ name: 'middle', left_to_right: 3, right_to_left: 0 }]],
    [14, 'ended', [{ name: 'middle', left_to_right: 0, right_to_left: 0 }]],
  ])
  expect(analysis.end('process-ended')).toEqual([])
})

test('what is filtered out is not counted, nor what is not tracked', () => {
  const analysis = create(
    aSetup({ type: 'flow-control', parameters: { lines: [middle] }, filter: { classes: ['car'] } }),
  )
  expect(walk(analysis, across(0.5, 0.3, 0.7))).toEqual([])
  expect(walk(flow(), across(0.5, 0.3, 0.7), { id: 0 })).toEqual([])
})

test('a clock that is set back counts nobody twice', () => {
  const analysis = flow()
  expect(walk(analysis, across(0.5, 0.3, 0.7), { fromMs: 1_000_000 })).toHaveLength(1)
  expect(walk(analysis, across(0.5, 0.7, 0.7), { fromMs: 0 })).toEqual([])
})
