import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createSinglePlaces } from './single-places.ts'

test('a place is for one until it leaves', () => {
  const places = createSinglePlaces()
  const first = new EventEmitter()
  expect(places.take('a', first)).toBe(true)
  expect(places.take('a', new EventEmitter())).toBe(false)
  expect(places.take('b', new EventEmitter())).toBe(true)
  first.emit('close')
  expect(places.take('a', new EventEmitter())).toBe(true)
})
