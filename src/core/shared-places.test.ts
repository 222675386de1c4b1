import { expect, test } from 'vitest'
import { createSharedPlaces } from './shared-places.ts'

test('one alone has half of the places, the next half of the rest, and there is always one more', () => {
  const places = createSharedPlaces(100)
  const takeAll = (holder: string) => {
    let taken = 0
    while (places.take(holder)) taken++
    return taken
  }
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(takeAll)).toEqual([50, 25, 13, 6, 3, 2])
})

test('a place that is given back is free, once', () => {
  const places = createSharedPlaces(2)
  const giveBack = places.take('a')!
  expect(places.take('a')).toBeUndefined()
  giveBack()
  giveBack()
  expect(places.take('a')).toBeDefined()
  expect(places.take('a')).toBeUndefined()
  expect(places.take('b')).toBeDefined()
})

test('however many are free, one alone has no more than it may', () => {
  const places = createSharedPlaces(100, 2)
  expect([places.take('a'), places.take('a'), places.take('a'), places.take('b')].map(Boolean)).toEqual([
    true,
    true,
    false,
    true,
  ])
})
