import { describe, expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import {
  type Gathered,
  MOST_GATHERED,
  MOST_RELEASED,
  newProgress,
  type Progress,
  release,
  settle,
  tell,
  waitOf,
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

/** Tracks 1, 2, 3… are seen at these seconds; `release` is called when the time is up, as a timer would. */
function play(seconds: readonly number[], backoff = backoffMs): { at: number; ids: number[] }[] {
  const sent: { at: number; ids: number[] }[] = []
  let progress = newProgress('running')
  const step = (next: Progress, at: number) => {
    for (const one of next.released) {
      sent.push({ at, ids: idsIn(one) })
      next = settle(next, one.id)
    }
    progress = next
  }
  seconds.forEach((at, index) => {
    const dueAt = () => (progress.lastReleasedAtMs! + backoff) / 1000
    if (progress.gathered && dueAt() <= at) step(release(progress, dueAt() * 1000), dueAt())
    step(tell(progress, seeing(index + 1), { backoffMs: backoff, nowMs: at * 1000 }), at)
  })
  if (progress.gathered)
    step(release(progress, progress.lastReleasedAtMs! + backoff), progress.lastReleasedAtMs! / 1000 + backoff / 1000)
  return sent
}

describe('backoff', () => {
  test.each([
    { name: 'the first goes at once', seconds: [10], sent: [{ at: 10, ids: [1] }] },
    {
      name: 'what comes too early is told together when the time is up',
      seconds: [10, 11, 12, 14.9],
      sent: [
        { at: 10, ids: [1] },
        { at: 15, ids: [2, 3, 4] },
      ],
    },
    {
      name: 'after a quiet time the next goes at once again',
      seconds: [10, 15, 60],
      sent: [
        { at: 10, ids: [1] },
        { at: 15, ids: [2] },
        { at: 60, ids: [3] },
      ],
    },
    {
      name: 'steady events are told every five seconds, and none is lost',
      seconds: [0, 2, 4, 6, 8, 10, 12],
      sent: [
        { at: 0, ids: [1] },
        { at: 5, ids: [2, 3] },
        { at: 10, ids: [4, 5] },
        { at: 15, ids: [6, 7] },
      ],
    },
  ])('$name', ({ seconds, sent }) => expect(play(seconds)).toEqual(sent))

  test('without backoff each goes at once', () => {
    expect(play([1, 1.1, 1.2], 0).map(({ ids }) => ids)).toEqual([[1], [2], [3]])
  })

  test('too much is told early rather than not at all', () => {
    const many = Array.from({ length: MOST_GATHERED + 2 }, (_, index) => index / 1e6)
    const sent = play(many)
    expect(sent.map(({ ids }) => ids.length)).toEqual([1, MOST_GATHERED, 1])
  })

  test('of what no database takes the oldest give way', () => {
    let progress = newProgress('running')
    for (let id = 1; id <= MOST_RELEASED + 2; id++)
      progress = tell(progress, seeing(id), { backoffMs: 0, nowMs: id * 1_000 })
    expect(progress.released).toHaveLength(MOST_RELEASED)
    expect(progress.released[0]!.id).toBe('message-3')
  })

  test('a clock that was set back makes nobody wait longer than the backoff', () => {
    const progress = { ...newProgress('running'), lastReleasedAtMs: 1_000_000 }
    expect(waitOf(progress, backoffMs, 0)).toBe(backoffMs)
  })

  test('what joins keeps the id under which it was begun', () => {
    let progress: Progress = { ...newProgress('running'), lastReleasedAtMs: 0 }
    for (const id of [7, 8]) progress = tell(progress, seeing(id), { backoffMs, nowMs: 1_000 })
    expect(progress.gathered!.id).toBe('message-7')
    expect(JSON.parse(JSON.stringify(progress))).toEqual(progress)
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
