import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createRunningCount } from './running-count.ts'

let clock: FakeClock
let asked: number
let answer: () => Promise<number>
beforeEach(() => {
  clock = createFakeClock()
  asked = 0
  answer = async () => 7
})

const ofSeveral = () =>
  createRunningCount({
    countHere: () => 2,
    countAll() {
      asked += 1
      return answer()
    },
    clock,
  })

test('a service that is alone counts its own', async () => {
  expect(await createRunningCount({ countHere: () => 2, countAll: undefined, clock })()).toBe(2)
})

test('of several nodes those of all are counted, and whoever asks often costs the database one look a second', async () => {
  const count = ofSeveral()
  expect(await Promise.all([count(), count(), count()])).toEqual([7, 7, 7])
  expect(asked).toBe(1)
  answer = async () => 8
  await clock.advance(1_000)
  expect([await count(), asked]).toEqual([8, 2])
})

test('a database that is away, or hangs, is not waited for: what it last said counts, and before that what runs here', async () => {
  const count = ofSeveral()
  answer = () => Promise.reject(new Error('away'))
  expect(await count()).toBe(2)
  answer = async () => 7
  await clock.advance(1_000)
  expect(await count()).toBe(7)
  answer = () => new Promise(() => {})
  await clock.advance(1_000)
  const counted = count()
  await clock.advance(1_000)
  expect(await counted).toBe(7)
})
