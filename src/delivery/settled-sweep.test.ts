import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createSettledSweep, type SettledSweep } from './settled-sweep.ts'

const DAY_MS = 86_400_000

let trimmed: string[]
let removedBefore: number[]
let onTrim: (channel: string) => void
let sweep: SettledSweep
const clock = createFakeClock()
beforeEach(() => {
  trimmed = []
  removedBefore = []
  onTrim = () => {}
  sweep = createSettledSweep(
    {
      async trim(channel) {
        onTrim(channel)
        trimmed.push(channel)
      },
      removeSettledBefore: async (ms) => void removedBefore.push(ms),
      settledChannels: async () => ['earlier'],
    },
    clock,
  )
})

test('the first run trims what was settled before the start, each later one what was since the last', async () => {
  sweep.onSettled('early')
  await sweep.run()
  expect(trimmed.splice(0)).toEqual(['early', 'earlier'])
  await sweep.run()
  expect(trimmed).toEqual([])
  for (const channel of ['a', 'a', 'b']) sweep.onSettled(channel)
  await sweep.run()
  expect(trimmed).toEqual(['a', 'b'])
  expect(removedBefore).toEqual(Array(3).fill(clock.now() - 7 * DAY_MS))
})

test('what a failure left untrimmed is trimmed by the next run', async () => {
  await sweep.run()
  trimmed = []
  for (const channel of ['a', 'b', 'c']) sweep.onSettled(channel)
  onTrim = (channel) => {
    if (channel === 'b') throw new Error('The database is away.')
  }
  await expect(sweep.run()).rejects.toThrow('away')
  expect(trimmed).toEqual(['a'])
  onTrim = () => {}
  await sweep.run()
  expect(trimmed.sort()).toEqual(['a', 'b', 'c'])
})

test('what is settled while its channel is trimmed is trimmed by the next run', async () => {
  await sweep.run()
  trimmed = []
  sweep.onSettled('a')
  onTrim = (channel) => sweep.onSettled(channel)
  await sweep.run()
  onTrim = () => {}
  await sweep.run()
  expect(trimmed).toEqual(['a', 'a'])
})
