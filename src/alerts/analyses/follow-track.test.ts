import { expect, test } from 'vitest'
import { aSetup, aTrack, aTrackAt, sceneAt } from '../../../test/builders/alerts.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { followTrack, type FollowTrackSetup } from './follow-track.ts'

const small = aTrack(3, [0.2, 0.5], { confidence: 0.7 })
const large = aTrack(5, [0.5, 0.5], { box: { x: 400, y: 100, width: 100, height: 200 }, confidence: 0.6 })
const sure = aTrack(7, [0.8, 0.5], { confidence: 0.9 })

const follow = (parameters: Partial<FollowTrackSetup['parameters']> = {}, change: Partial<FollowTrackSetup> = {}) =>
  followTrack.create({ ...aSetup({ type: 'follow-track', parameters }), ...change })

/** The events of each half second, as `event id`. */
function run(analysis: ReturnType<typeof follow>, scenes: readonly (readonly SceneTrack[])[], fromMs = 0): string[] {
  return scenes.map((tracks, index) =>
    analysis
      .update(sceneAt(fromMs + index * 500, tracks))
      .map(({ event, data }) => `${event} ${(data['track'] as { track_id: number }).track_id}`)
      .join(', '),
  )
}

test.each([
  { parameters: {}, id: 3 },
  { parameters: { select: 'first' as const }, id: 3 },
  { parameters: { select: 'largest' as const }, id: 5 },
  { parameters: { select: 'most_confident' as const }, id: 7 },
  { parameters: { track_id: 5 }, id: 5 },
])('$parameters follows $id', ({ parameters, id }) => {
  expect(run(follow(parameters), [[sure, large, small]])).toEqual([`acquired ${id}`])
})

test('it is told where the target is at every interval, until it has not been seen for two seconds', () => {
  const scenes = [[], [small, sure], [small], [small], [], [small], [small], [sure], [sure], [sure], [sure], [sure]]
  expect(run(follow(), scenes)).toEqual([
    '',
    'acquired 3',
    '',
    'update 3',
    '',
    'update 3',
    '',
    '',
    '',
    '',
    'lost 3, acquired 7',
    '',
  ])
})

test('whoever is followed is followed wherever it goes, whatever it is taken for', () => {
  const analysis = follow({}, { filter: { classes: ['person'] } })
  const mistaken = { ...small, className: 'dog', confidence: 0.1 }
  expect(run(analysis, [[small], [mistaken], [mistaken]])).toEqual(['acquired 3', '', 'update 3'])
})

test('the place tells a gimbal where to turn', () => {
  const [acquired] = follow().update(
    sceneAt(0, [{ ...aTrackAt(1, 50, 10), location: { azimuthDeg: -3.25, elevationDeg: 1.5, telemetryAgeMs: 40 } }]),
  )
  expect(acquired!.data).toMatchObject({ azimuth: -3.25, elevation: 1.5, offset: [0, 0.05] })
  expect(follow().update(sceneAt(0, [small]))[0]!.data).toMatchObject({ azimuth: null, elevation: null })
})

test('the wanted one is waited for', () => {
  expect(run(follow({ track_id: 7 }), [[small], [small, sure]])).toEqual(['', 'acquired 7'])
})

test('a target is lost when nothing is seen any more, and when the process ends', () => {
  const analysis = follow()
  run(analysis, [[small]])
  expect(analysis.interrupt!()).toMatchObject([{ event: 'lost', data: { reason: 'source-interrupted' } }])
  expect(analysis.end('process-ended')).toEqual([])
  run(analysis, [[sure]])
  expect(analysis.end('process-ended')).toMatchObject([
    { event: 'lost', data: { reason: 'process-ended', track: { track_id: 7 } } },
  ])
})

test('a short loss of the source loses nobody; after a longer one it is somebody else', () => {
  const analysis = follow()
  expect(run(analysis, [[small]], 0)).toEqual(['acquired 3'])
  expect(run(analysis, [[small]], 1_900)).toEqual(['update 3'])
  expect(run(analysis, [[sure]], 9_000)).toEqual(['lost 3, acquired 7'])
})

test('a clock that is set back loses nobody who is still there', () => {
  const analysis = follow()
  expect(run(analysis, [[small], [small]], 1_000_000)).toEqual(['acquired 3', ''])
  expect(run(analysis, [[small], [small], [small]], 0)).toEqual(['', 'update 3', ''])
})

test('without tracking nobody is followed', () => {
  expect(run(follow(), [[{ ...small, id: 0 }]])).toEqual([''])
})
