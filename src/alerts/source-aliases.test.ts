import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createSourceAliases, type NotifiedSource, type SourceAliases } from './source-aliases.ts'

let clock: FakeClock
let asked: number
let answer: () => Promise<NotifiedSource | undefined>
let aliases: SourceAliases
beforeEach(() => {
  clock = createFakeClock()
  asked = 0
  answer = async () => ({ alias: 'yard', type: 'stream' })
  aliases = createSourceAliases({ find: () => ((asked += 1), answer()) }, clock)
})

const find = () => aliases.find('account', 'source')
const away = () => Promise.reject(new Error('away'))

test('an alias is asked for each time, so that a new one is seen', async () => {
  expect(await find()).toEqual({ alias: 'yard', type: 'stream' })
  answer = async () => ({ alias: 'gate', type: 'stream' })
  expect(await find()).toEqual({ alias: 'gate', type: 'stream' })
  answer = async () => undefined
  expect(await find()).toBeUndefined()
})

test('while the database is away it is what it was', async () => {
  await find()
  answer = away
  expect(await find()).toEqual({ alias: 'yard', type: 'stream' })
})

test('one that was never read is not made up', async () => {
  answer = away
  await expect(find()).rejects.toThrow('away')
})

test('for a database that hangs it is waited a quarter of a second, once, and it is not asked again', async () => {
  await find()
  answer = () => new Promise(() => {})
  const found = find()
  await clock.advance(250)
  expect(await found).toEqual({ alias: 'yard', type: 'stream' })
  expect(await find()).toEqual({ alias: 'yard', type: 'stream' })
  expect(asked).toBe(2)
})
