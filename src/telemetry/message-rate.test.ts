import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createMessageRate } from './message-rate.ts'

/** How many of so many messages are read. */
function setUp() {
  const clock = createFakeClock()
  const rate = createMessageRate(clock)
  const read = (count: number, bytes: number) =>
    Array.from({ length: count }, () => rate.isWithin(bytes)).filter(Boolean).length
  return { clock, read }
}

test('two hundred messages of a drone are read in a second, and no more', async () => {
  const { clock, read } = setUp()
  expect(read(300, 400)).toBe(200)
  await clock.advance(1_000)
  expect(read(300, 400)).toBe(200)
})

test('of large messages as many are read as work allows', async () => {
  const { clock, read } = setUp()
  expect(read(100, 64 * 1024)).toBe(8)
  await clock.advance(1_000)
  expect(read(100, 64 * 1024)).toBe(2)
})

test('the vendor’s largest messages are all read, ten times a second', async () => {
  const { clock, read } = setUp()
  for (let second = 0; second < 60; second++) {
    expect(read(10, 10_000)).toBe(10)
    await clock.advance(1_000)
  }
})
