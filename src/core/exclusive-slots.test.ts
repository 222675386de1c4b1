import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createExclusiveSlots } from './exclusive-slots.ts'

const connection = (destroyed = false) => Object.assign(new EventEmitter(), { destroyed })

test('a place is for one until it leaves', () => {
  const places = createExclusiveSlots()
  const first = connection()
  expect(places.take('a', first)).toBe(true)
  expect(places.take('a', connection())).toBe(false)
  expect(places.take('b', connection())).toBe(true)
  first.emit('close')
  expect(places.take('a', connection())).toBe(true)
})

test('who has left before the place was given does not keep it', () => {
  const places = createExclusiveSlots()
  expect(places.take('a', connection(true))).toBe(false)
  expect(places.take('a', connection())).toBe(true)
})
