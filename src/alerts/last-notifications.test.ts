import { expect, test } from 'vitest'
import { createLastNotifications } from './last-notifications.ts'

test('there is one for each alert and source', () => {
  const last = createLastNotifications()
  const one = last.of('alert', 'source')
  expect(last.of('alert', 'source')).toBe(one)
  expect(last.of('alert', 'other')).not.toBe(one)
  expect(last.of('other', 'source')).not.toBe(one)
})

test('beyond the bound the oldest is forgotten', () => {
  const last = createLastNotifications(2)
  const [first, second] = [last.of('alert', '1'), last.of('alert', '2')]
  last.of('alert', '3')
  expect(last.of('alert', '2')).toBe(second)
  expect(last.of('alert', '1')).not.toBe(first)
})
