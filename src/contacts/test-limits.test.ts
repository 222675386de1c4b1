import { expect, test } from 'vitest'
import { createDeferred } from '../core/deferred.ts'
import { createTestLimits } from './test-limits.ts'

test('a key tests one contact at a time, ten in a minute, and each key has its own', async () => {
  let nowMs = 0
  const limits = createTestLimits({ steady: () => nowMs })
  const run = (key: string, work: () => Promise<string>) => limits.run(key, work)
  const slow = createDeferred<string>()
  const first = run('a', () => slow.promise)
  await expect(run('a', async () => '')).rejects.toMatchObject({ code: 'too-many-tests' })
  expect(await run('b', async () => 'b')).toBe('b')
  slow.resolve('done')
  expect(await first).toBe('done')
  for (let n = 1; n < 10; n++) await run('a', async () => '')
  nowMs = 59_000
  await expect(run('a', async () => '')).rejects.toMatchObject({ retryAfterSeconds: 1 })
  nowMs = 60_000
  expect(await run('a', async () => 'again')).toBe('again')
})

test('one that fails is over', async () => {
  const limits = createTestLimits({ steady: () => 0 })
  await expect(limits.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await limits.run('a', async () => 'next')).toBe('next')
})
