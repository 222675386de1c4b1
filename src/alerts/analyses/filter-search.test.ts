import { beforeEach, expect, test } from 'vitest'
import { aSetup, aTrack, sceneAt } from '../../../test/builders/alerts.ts'
import { type SceneTrack } from '../../core/scene.ts'
import { filterSearch, type FilterSearchSetup } from './filter-search.ts'
import { createLastNotification } from './last-notification.ts'

const pictures = new Set<number>()
/** Pictures of scenes that were asked for: `track at`. */
const asked = new Set<string>()
let pictureLength = 0
let keepsPictures = true
beforeEach(() => {
  pictures.clear()
  asked.clear()
  keepsPictures = true
})
const search = (trigger: Partial<FilterSearchSetup['trigger']>, change: Partial<FilterSearchSetup> = {}) =>
  filterSearch.create(
    {
      ...aSetup({
        type: 'filter-search',
        trigger: { cooldown_seconds: 0, ...trigger },
        filter: { classes: ['person'] },
      }),
      ...change,
    },
    {
      keepsPictures: () => keepsPictures,
      pictureOf: (id) => (pictures.has(id) ? `picture ${id}`.padEnd(pictureLength) : null),
      sceneOf(id, takenAtMs) {
        asked.add(`${id} ${takenAtMs}`)
        return id !== null && pictures.has(id) ? `scene ${takenAtMs}` : null
      },
      lastNotification: createLastNotification(),
    },
  )

/** Ids that are reported, as `ms: ids`; letters of the time line are half seconds. */
function run(analysis: ReturnType<typeof search>, scenes: readonly (readonly SceneTrack[])[], stepMs = 500) {
  return scenes.flatMap((tracks, index) =>
    analysis
      .update(sceneAt(index * stepMs, tracks))
      .map(
        ({ data }) =>
          `${index * stepMs}: ${(data['tracks'] as { track_id: number }[]).map((one) => one.track_id).join()}`,
      ),
  )
}
const one = aTrack(1, [0.2, 0.5])
const two = aTrack(2, [0.4, 0.5])
const car = aTrack(3, [0.6, 0.5], { className: 'car' })
const times = (count: number, tracks: SceneTrack[]) => Array.from({ length: count }, () => tracks)

test('each is told once, after it has matched for long enough', () => {
  expect(run(search({ for_seconds: 1 }), [...times(6, [one, car]), ...times(6, [one, two])])).toEqual([
    '1000: 1',
    '4000: 2',
  ])
})

test('one who goes and comes back under the same id is not told again', () => {
  expect(run(search({ for_seconds: 0 }), [[one], [], [], [one], [one]])).toEqual(['0: 1'])
})

test('one who matches only now and then is not told', () => {
  const scenes = Array.from({ length: 60 }, (_, index) => (index % 10 === 0 ? [one] : [{ ...one, className: 'dog' }]))
  expect(run(search({ for_seconds: 1 }), scenes, 100)).toEqual([])
})

test('at one frame a second a time is still a time', () => {
  expect(run(search({ for_seconds: 2 }), times(4, [one]), 1_000)).toEqual(['2000: 1'])
})

test('so it is at one frame in three seconds', () => {
  expect(run(search({ for_seconds: 5 }), times(6, [one]), 3_000)).toEqual(['9000: 1'])
})

test('what is found during the cooldown is told together when it is over, also when it has gone', () => {
  const scenes = [[one], [one, two], [aTrack(4, [0.5, 0.5])], ...times(6, []), [aTrack(5, [0.5, 0.5])]]
  expect(run(search({ for_seconds: 0, cooldown_seconds: 3 }), scenes)).toEqual(['0: 1', '3000: 2,4'])
  expect(aSetup({ type: 'filter-search' }).trigger.cooldown_seconds).toBe(10)
})

test('of those who are found in one frame the picture of the newest is asked for, which the event shows', () => {
  const analysis = search({ for_seconds: 0, cooldown_seconds: 3 })
  const [event] = analysis.update(sceneAt(0, [one, two, aTrack(4, [0.5, 0.5])]))
  expect([...asked]).toEqual([`${event!.trackId} 0`])
  analysis.update(sceneAt(500, [one, two, aTrack(5, [0.5, 0.5])]))
  expect([...asked]).toEqual(['4 0', '5 500'])
})

test('with pictures of the tracks, each has its own', () => {
  search({ for_seconds: 0 }, { parameters: { with_image: true } }).update(sceneAt(0, [one, two]))
  expect(asked).toEqual(new Set(['1 0', '2 0']))
})

test('what waits for the end of a cooldown is told when the process ends', () => {
  const analysis = search({ for_seconds: 0, cooldown_seconds: 60 })
  run(analysis, [[one], [two]])
  expect(analysis.end('process-ended')).toMatchObject([
    { event: 'found', data: { tracks: [{ track_id: 2 }], more: 0 } },
  ])
  expect(analysis.unfinished).toBe(1)
})

test('a picture is waited for, but not for long', () => {
  const setup = { parameters: { with_image: true } }
  expect(run(search({ for_seconds: 0 }, setup), times(6, [one]))).toEqual(['2000: 1'])
  pictures.add(2)
  expect(run(search({ for_seconds: 0 }, setup), times(6, [two]))).toEqual(['0: 2'])
  const [found] = search({ for_seconds: 0 }, setup).update(sceneAt(0, [two]))
  expect(found!.data['tracks']).toMatchObject([{ track_id: 2, image: 'picture 2', scene_image: 'scene 0' }])
})

test('a track without a picture does not keep the next one from waiting for its own', () => {
  pictures.add(2)
  const both = [...times(6, [one]), ...times(6, [one, two])]
  expect(run(search({ for_seconds: 0 }, { parameters: { with_image: true } }), both)).toEqual(['2000: 1', '3000: 2'])
  pictures.delete(2)
  const found = run(search({ for_seconds: 0 }, { parameters: { with_image: true } }), both)
  expect(found).toEqual(['2000: 1', '5000: 2'])
})

test('no picture is waited for where the process keeps none', () => {
  keepsPictures = false
  expect(run(search({ for_seconds: 0 }, { parameters: { with_image: true } }), times(6, [one]))).toEqual(['0: 1'])
})

test('no notification has more pictures than can be sent, and none is left out', () => {
  const crowd = Array.from({ length: 100 }, (_, index) => aTrack(index + 1, [0.5, 0.5]))
  for (const { id } of crowd) pictures.add(id)
  pictureLength = 87_000
  const analysis = search({ for_seconds: 0, cooldown_seconds: 60 }, { parameters: { with_image: true } })
  const events = [...analysis.update(sceneAt(0, crowd)), ...analysis.end('process-ended')]
  const batches = events.map(({ data }) => data['tracks'] as { track_id: number; image: string | null }[])
  for (const tracks of batches) expect(JSON.stringify(tracks).length).toBeLessThan(900_000)
  expect(batches.flat().map((track) => track.track_id)).toEqual(crowd.map(({ id }) => id))
  expect(batches.flat().every(({ image }) => image !== null)).toBe(true)
  pictureLength = 0
})

test('what is too much to keep is told before the cooldown is over, each at its own time', () => {
  const analysis = search({ for_seconds: 0, cooldown_seconds: 86_400 })
  const tracks: { track_id: number; timestamp: string }[] = []
  let maxWaiting = 0
  for (let index = 0; index < 1_000; index++) {
    for (const { data } of analysis.update(sceneAt(index * 100, [aTrack(index + 1, [0.5, 0.5])])))
      tracks.push(...(data['tracks'] as typeof tracks))
    maxWaiting = Math.max(maxWaiting, analysis.unfinished)
  }
  expect(maxWaiting).toBeLessThan(200)
  expect(tracks.map(({ track_id: id }) => id)).toEqual(Array.from({ length: 801 }, (_, index) => index + 1))
  expect(tracks[800]!.timestamp).toBe('1970-01-01T00:01:20.000Z')
})

test('a source that is lost keeps nothing waiting', () => {
  const analysis = search({ for_seconds: 0, cooldown_seconds: 60 })
  run(analysis, [[one], [two]])
  expect(analysis.interrupt!()).toMatchObject([{ seenAt: { takenAtMs: 500 }, data: { tracks: [{ track_id: 2 }] } }])
  expect(analysis.unfinished).toBe(0)
})

test('what a lost source released is a notification like others: the next comes a cooldown later', () => {
  const analysis = search({ for_seconds: 0, cooldown_seconds: 60 })
  run(analysis, [[one], [two]])
  analysis.interrupt!()
  const other = aTrack(4, [0.2, 0.5])
  expect(analysis.update(sceneAt(60_000, [other]))).toEqual([])
  expect(analysis.update(sceneAt(60_500, [other]))).toMatchObject([{ data: { tracks: [{ track_id: 4 }] } }])
})

test('where nothing is tracked, somebody is told once until nobody has been there for a while', () => {
  const anybody = { ...one, id: 0 }
  const scenes = [...times(4, [anybody]), ...times(8, []), ...times(3, [anybody])]
  expect(run(search({ for_seconds: 0 }), scenes)).toEqual(['0: 0', '6000: 0'])
})

test('thousands who come and go are forgotten', () => {
  const analysis = search({ for_seconds: 0 })
  let found = 0
  for (let index = 0; index < 300; index++) {
    const tracks = Array.from({ length: 20 }, (_, slot) => aTrack(index * 20 + slot + 1, [0.5, 0.5]))
    for (const { data } of analysis.update(sceneAt(index * 100, tracks))) found += (data['tracks'] as unknown[]).length
  }
  expect(found).toBe(6_000)
})

test('a clock that is set back tells nobody sooner, nor twice', () => {
  const analysis = search({ for_seconds: 5 })
  const at = (ms: number) => analysis.update(sceneAt(ms, [one])).length
  expect([1_000_000, 1_001_000, 0, 1_000, 2_000].map(at)).toEqual([0, 0, 0, 0, 0])
  expect([900_000, 901_500, 903_000, 904_500, 906_000].map(at)).toEqual([0, 0, 0, 0, 1])
  expect([0, 10_000].map(at)).toEqual([0, 0])
})
