import { describe, expect, test } from 'vitest'
import { aScene } from '../../test/builders/process.ts'
import { createSeenTracks } from './seen-tracks.ts'

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
