import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { createLatestWrite } from './latest-write.ts'

test('what changes several times during a write is written once more', async () => {
  const gate = createDeferred()
  let value = 0
  const written: number[] = []
  const record = createLatestWrite(
    async () => {
      const now = value
      if (written.length === 0) await gate.promise
      written.push(now)
    },
    createFakeClock(),
    () => {},
  )
  for (value = 1; value < 5; value++) record.touch()
  gate.resolve()
  await record.flush()
  expect(written).toEqual([1, 5])
})

test('a write that fails is tried again', async () => {
  const clock = createFakeClock()
  let failures = 2
  let writes = 0
  const errors: unknown[] = []
  const record = createLatestWrite(
    async () => {
      if (failures-- > 0) throw new Error('locked')
      writes += 1
    },
    clock,
    (error) => errors.push(error),
  )
  record.touch()
  const flushed = record.flush()
  await clock.advance(0)
  await clock.advance(1_000)
  await clock.advance(1_000)
  await flushed
  expect([writes, errors.length]).toEqual([1, 2])
})

test('after five failures nobody waits any longer, and it is written when that can be', async () => {
  const clock = createFakeClock()
  let isBroken = true
  let writes = 0
  const errors: unknown[] = []
  const record = createLatestWrite(
    async () => {
      if (isBroken) throw new Error('gone')
      writes += 1
    },
    clock,
    (error) => errors.push(error),
  )
  record.touch()
  const flushed = record.flush()
  for (let time = 0; time < 5; time++) await clock.advance(time === 0 ? 0 : 1_000)
  await flushed
  expect(errors).toHaveLength(5)
  expect(record.failure).toBe(errors[4])
  for (let time = 0; time < 600; time++) await clock.advance(1_000)
  expect(errors.length).toBeLessThan(140)
  isBroken = false
  await clock.advance(5_000)
  expect(writes).toBe(1)
  expect(record.failure).toBeUndefined()
})

test('with nothing to write, flushing is done at once', async () => {
  await createLatestWrite(
    () => Promise.reject(new Error('never')),
    createFakeClock(),
    () => {},
  ).flush()
})
