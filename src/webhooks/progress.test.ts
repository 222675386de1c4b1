import { describe, expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import {
  detach,
  gather,
  type Gathered,
  lengthsOf,
  MAX_GATHERED,
  MAX_RELEASED,
  MAX_RELEASED_SINGLY,
  newProgress,
  release,
  settle,
  unstored,
} from './progress.ts'
import { newTracksNotification } from './webhooks.messages.ts'

const backoffMs = 5_000

function seeing(id: number): Gathered {
  const scene = aScene({ ids: [id] })
  return {
    id: `message-${id}`,
    notification: newTracksNotification({ processId: 'p', scene, format: 'simple' }, scene.tracks),
  }
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

describe('where the database does not take what is gathered', () => {
  const gathered = gatherAll(3, backoffMs)
  const stored = lengthsOf(gatherAll(2, backoffMs))

  test('what it has goes under its id, and what it has not under another, which stays the same', () => {
    const detached = detach(gathered, stored)
    expect(detached.released).toMatchObject([{ id: 'message-1' }])
    expect([idsIn(detached.released[0]), idsIn(detached.gathered)]).toEqual([[1, 2], [3]]) // prettier-ignore
    expect(detached.gathered!.id).not.toBe('message-1')
    expect(detach(gathered, stored)).toEqual(detached)
    expect(detach(detached, stored)).toBe(detached)
  })

  test('nothing is detached where it has all of it, or nothing', () => {
    for (const lengths of [lengthsOf(gathered), {}]) expect(detach(gathered, lengths)).toBe(gathered)
  })

  test('nobody else knows of what it has not, once each, whether that was detached before or not', () => {
    const released = release(gathered)
    for (const progress of [gathered, released, detach(gathered, stored)]) {
      expect(unstored(progress, stored).map(idsIn)).toEqual([[3]])
      expect(unstored(progress, stored)).toEqual(unstored(gathered, stored))
      expect(unstored(progress, {}).flatMap(idsIn)).toEqual([1, 2, 3])
    }
    expect(unstored(gathered, lengthsOf(gathered))).toEqual([])
  })
})
