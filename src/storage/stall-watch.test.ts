import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createStallWatch, type StallWatch } from './stall-watch.ts'

let clock: FakeClock
let watch: StallWatch
let isServerWell: boolean
let probes: number
let ended: string[]
beforeEach(() => {
  clock = createFakeClock()
  isServerWell = true
  probes = 0
  ended = []
  watch = createStallWatch({
    async isAnswering() {
      probes += 1
      return isServerWell
    },
    clock,
  })
})

const ask = (name: string) => watch.watch({ end: async () => void ended.push(name) })
async function advance(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await clock.advance(1_000)
}

test('queries that are answered soon cost nothing', async () => {
  for (let second = 0; second < 20; second++) {
    const onAnswer = ask('quick')
    await advance(1)
    onAnswer()
  }
  expect([probes, ended]).toEqual([0, []])
})

test('one that is slow is left alone while the server answers others', async () => {
  ask('slow')
  await advance(60)
  expect(probes).toBeGreaterThan(10)
  expect(ended).toEqual([])
})

test('connections whose queries are slow are ended when the server answers nobody, and newer ones are not', async () => {
  isServerWell = false
  const onAnswer = ask('first')
  await advance(3)
  ask('second')
  await advance(3)
  expect(ended).toEqual(['first'])
  onAnswer()
  await advance(3)
  expect(ended).toEqual(['first', 'second'])
})
