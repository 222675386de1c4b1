import { describe, expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import {
  gather,
  type Gathered,
  MAX_GATHERED,
  MAX_RELEASED,
  MAX_RELEASED_SINGLY,
  newProgress,
  release,
  settle,
} from './progress.ts'
import { createSeenTracks } from './seen-tracks.ts'
import { tellNewTracks } from './webhooks.messages.ts'

const backoffMs = 5_000

function seeing(id: number): Gathered {
  const scene = aScene({ ids: [id] })
  return { id: `message-${id}`, notification: tellNewTracks({ processId: 'p', scene, format: 'simple' }, scene.tracks) }
}
const idsIn = (gathered: Gathered | null | undefined) =>
  gathered?.notification.type === 'new-tracks'
    ? gathered.notification.detections.map((one) => ('id' in one ? one.id : 0))
    : []
const gatherAll = (count: number, backoff: number) =>
  Array.from({ length: count }, (_, index) => seeing(index + 1)).reduce(
    (progress, one) => gather(progress, one, backoff),
    newProgress('running'),
  )

describe('what happens', () => {
  test('is gathered under the id with which it was begun, and released together', () => {
    const progress = gatherAll(3, backoffMs)
    expect([idsIn(progress.gathered), progress.released]).toEqual([[1, 2, 3], []])
    expect(JSON.parse(JSON.stringify(progress))).toEqual(progress)
    const released = release(progress)
    expect(released).toMatchObject({ gathered: null, released: [{ id: 'message-1' }] })
    expect(release(released)).toEqual(released)
    expect(settle(released, 'message-1').released).toEqual([])
  })

  test('goes one by one without a backoff', () => {
    expect(gatherAll(3, 0).released.map(idsIn)).toEqual([[1], [2], [3]])
  })

  test('is in several notifications when it is too much for one', () => {
    const { gathered, released } = gatherAll(2 * MAX_GATHERED + 1, backoffMs)
    expect([...released, gathered].map((one) => idsIn(one).length)).toEqual([MAX_GATHERED, MAX_GATHERED, 1])
  })

  test('and the database is slow to take: the rest is gathered, and nothing lost', () => {
    const { released, gathered } = gatherAll(MAX_RELEASED + 2, 0)
    expect([...released.flatMap(idsIn), ...idsIn(gathered)]).toEqual(
      Array.from({ length: MAX_RELEASED + 2 }, (_, index) => index + 1),
    )
    expect(released).toHaveLength(MAX_RELEASED_SINGLY)
  })

  test('and no database takes: of those that are full the oldest give way', () => {
    const { released } = gatherAll(MAX_RELEASED_SINGLY + (MAX_RELEASED - MAX_RELEASED_SINGLY + 2) * MAX_GATHERED, 0)
    expect(released).toHaveLength(MAX_RELEASED)
    expect(released[0]!.id).toBe('message-3')
  })
})

describe('tracks', () => {
  const ids = (tracks: readonly { id: number }[]) => tracks.map(({ id }) => id)

  test('are new once, also when a younger one was seen before', () => {
    const seen = createSeenTracks(0)
    expect(ids(seen.addNew(aScene({ ids: [1, 3] }).tracks))).toEqual([1, 3])
    expect(ids(seen.addNew(aScene({ ids: [1, 2, 3, 4] }).tracks))).toEqual([2, 4])
    expect(seen.lastId).toBe(4)
  })

  test('without tracking are none, and those before the floor are known', () => {
    expect(createSeenTracks(0).addNew(aScene({ ids: [0, 0] }).tracks)).toEqual([])
    expect(ids(createSeenTracks(9).addNew(aScene({ ids: [9, 10] }).tracks))).toEqual([10])
  })

  test('of long ago are forgotten without being new again', () => {
    const seen = createSeenTracks(0)
    let found = 0
    for (let id = 1; id <= 20_000; id++) found += seen.addNew(aScene({ ids: [id] }).tracks).length
    expect(found).toBe(20_000)
    expect(seen.addNew(aScene({ ids: [1, 15_000, 20_000] }).tracks)).toEqual([])
  })
})
