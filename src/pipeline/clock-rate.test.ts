import { expect, test } from 'vitest'
import { createRtpLine } from './clock-rate.ts'

const WRAP = 2 ** 32

test('timestamps stay as they are, and grow across the end of 32 bits', () => {
  const line = createRtpLine()
  expect([WRAP - 6000, WRAP - 3000, 0, 3000].map(line)).toEqual([WRAP - 6000, WRAP - 3000, WRAP, WRAP + 3000])
})

test('what is out of order is left out, also across the end of 32 bits', () => {
  const line = createRtpLine()
  expect([9000, 6000, 9000, 12_000].map(line)).toEqual([9000, undefined, undefined, 12_000])
  const turning = createRtpLine()
  expect([WRAP - 3000, 3000, WRAP - 1000, 6000].map(turning)).toEqual([
    WRAP - 3000,
    WRAP + 3000,
    undefined,
    WRAP + 6000,
  ])
})

test('a source that begins anew goes on growing, with the same timestamps in 32 bits', () => {
  const line = createRtpLine()
  const timestamps = [3_000_000_000, 500, 4_000_000_000, 7]
  const places = timestamps.map((timestamp) => line(timestamp)!)
  expect(places.map((place) => place % WRAP)).toEqual(timestamps)
  expect([...places].sort((a, b) => a - b)).toEqual(places)
})
