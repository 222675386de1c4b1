import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { AppError } from '../core/errors.ts'
import { createStandingRights, type StandingRights } from './standing-rights.ts'
import { type WatchQuestion } from './watch-access.ts'

const right = (key: string): WatchQuestion => ({
  action: 'read',
  path: 'ann/cam',
  credentials: { key },
  address: '::1',
})
let clock: FakeClock
let rights: StandingRights
let refusals: Map<string, Error>
let asked: number
let lost: string[]

beforeEach(() => {
  clock = createFakeClock()
  refusals = new Map()
  asked = 0
  lost = []
  rights = createStandingRights(async ({ credentials, isAgain }) => {
    if (isAgain) asked += 1
    const refusal = refusals.get(credentials.key!)
    if (refusal) throw refusal
  }, clock)
})

const hold = (key: string, name = key) => rights.hold(right(key), ({ code }) => lost.push(`${name} ${code}`))

test('a right that is gone is told to all who held it, once, and to nobody else', async () => {
  hold('a', 'first')
  hold('a', 'second')
  hold('b')
  await clock.advance(3_000)
  expect([asked, lost]).toEqual([2, []])
  refusals.set('a', new AppError('api-key-invalid'))
  await clock.advance(3_000)
  await clock.advance(3_000)
  expect(lost).toEqual(['first api-key-invalid', 'second api-key-invalid'])
})

test('not being able to ask takes nobody’s right', async () => {
  hold('a')
  refusals.set('a', new Error('The database is away.'))
  await clock.advance(3_000)
  expect([asked, lost]).toEqual([1, []])
})

test('whoever has left is not asked about, and asking begins anew with the next one', async () => {
  hold('a')()
  await clock.advance(3_000)
  expect(asked).toBe(0)
  hold('b')
  await clock.advance(3_000)
  expect(asked).toBe(1)
})

test('nothing is asked after the end', async () => {
  hold('a')
  rights.close()
  await clock.advance(10_000)
  expect(asked).toBe(0)
})
