import { expect, test } from 'vitest'
import { createLiveCopies } from './live-copies.ts'

const process = { processId: 'p', accountId: 'a' }

test('a notification is published once it is on disk, and once however often it was tried', () => {
  const published: unknown[] = []
  const copies = createLiveCopies(process, { publishNotification: (...said) => void published.push(said) })
  copies.note('grid-density', 1, 'one')
  copies.note('grid-density', 1, 'one')
  copies.note('flow-control', 2, 'two')
  expect(published).toEqual([])
  copies.publish()
  copies.publish()
  expect(published).toEqual([
    [process, 'grid-density', 'one'],
    [process, 'flow-control', 'two'],
  ])
})

test('where nobody is to have any, nothing is kept', () => {
  const copies = createLiveCopies(process, {})
  copies.note('grid-density', 1, 'one')
  expect(() => copies.publish()).not.toThrow()
})
