import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { AppError } from './errors.ts'
import { createStandingRights, RECHECK_MS, type StandingRights } from './standing-rights.ts'

let clock: FakeClock
let rights: StandingRights<string, AppError>
let refusals: Map<string, Error>
let asked: string[]
let lost: string[]

beforeEach(() => {
  clock = createFakeClock()
  refusals = new Map()
  asked = []
  lost = []
  rights = createStandingRights({
    async ask(right: string) {
      asked.push(right)
      const refusal = refusals.get(right)
      if (refusal) throw refusal
    },
    isRefusal: (error) => error instanceof AppError,
    identityOf: (right) => right,
    clock,
  })
})

const hold = (right: string, name = right) => rights.hold(right, ({ code }) => lost.push(`${name} ${code}`))

test('a right that is gone is told to all who held it, once, and to nobody else', async () => {
  hold('a', 'first')
  hold('a', 'second')
  hold('b')
  await clock.advance(RECHECK_MS)
  expect([asked, lost]).toEqual([['a', 'b'], []])
  refusals.set('a', new AppError('api-key-invalid'))
  await clock.advance(RECHECK_MS)
  await clock.advance(RECHECK_MS)
  expect(lost).toEqual(['first api-key-invalid', 'second api-key-invalid'])
})

test('one that does not answer keeps nobody else waiting', async () => {
  rights = createStandingRights({
    ask: (right: string) => (right === 'slow' ? new Promise(() => {}) : Promise.reject(new AppError('token-invalid'))),
    isRefusal: (error) => error instanceof AppError,
    identityOf: (right) => right,
    clock,
  })
  hold('slow')
  hold('a')
  await clock.advance(RECHECK_MS)
  expect(lost).toEqual(['a token-invalid'])
  hold('b')
  await clock.advance(5_000)
  await clock.advance(RECHECK_MS)
  expect(lost).toEqual(['a token-invalid', 'b token-invalid'])
})

test('not being able to ask takes nobody’s right', async () => {
  hold('a')
  refusals.set('a', new Error('The database is away.'))
  await clock.advance(RECHECK_MS)
  expect([asked, lost]).toEqual([['a'], []])
})

test('whoever has left is not asked about, and asking begins anew with the next one', async () => {
  hold('a')()
  await clock.advance(RECHECK_MS)
  expect(asked).toEqual([])
  hold('b')
  await clock.advance(RECHECK_MS)
  expect(asked).toEqual(['b'])
})

test('nothing is asked after the end', async () => {
  hold('a')
  rights.close()
  await clock.advance(10_000)
  expect(asked).toEqual([])
})
