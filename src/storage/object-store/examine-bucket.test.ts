import { afterAll, beforeAll, expect, test } from 'vitest'
import { type S3Server, startS3Server } from '../../../test/support/s3-server.ts'
import { systemClock } from '../../core/clock.ts'
import { examineBucket } from './examine-bucket.ts'

let s3: S3Server
beforeAll(async () => void (s3 = await startS3Server()))
afterAll(() => s3.remove())

test('a bucket that can be used is found so, and is left as it was', async () => {
  const facts = await examineBucket(s3.config({ prefix: 'north/' }), systemClock)
  expect(facts).toEqual({ problem: null, skewMs: expect.any(Number) })
  expect(s3.keys()).toEqual([])
})

test.each([
  [{ secret: 'wrong' }, 'AERIE_OBJECT_STORE_SECRET is not the secret'],
  [{ bucket: 'missing' }, 'has no bucket missing'],
])('%j is a problem', async (change, sentence) => {
  const { problem } = await examineBucket(s3.config(change), systemClock)
  expect(problem).toContain(sentence)
})

test('a clock that is off is noticed', async () => {
  const clock = { ...systemClock, now: () => Date.now() - 3_600_000 }
  expect((await examineBucket(s3.config(), clock)).skewMs).toBeGreaterThan(3_500_000)
})
