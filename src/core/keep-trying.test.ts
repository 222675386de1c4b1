import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { keepTrying } from './keep-trying.ts'

test('waits double up to the longest, begin anew after a success, and end with the wish', async () => {
  const clock = createFakeClock()
  const wish = new AbortController()
  const times: number[] = []
  const sentences: string[] = []
  const done = keepTrying(
    async (attempt, onSuccess) => {
      times.push(clock.now())
      if (attempt === 4) onSuccess()
      throw new Error(`ended ${attempt}`)
    },
    {
      clock,
      signal: wish.signal,
      firstWaitMs: 100,
      maxWaitMs: 500,
      onFailure: (sentence) => void sentences.push(sentence),
    },
  )
  await clock.advance(0)
  for (let step = 0; step < 20; step++) await clock.advance(100)
  wish.abort()
  await done
  const waits = times.slice(1).map((time, index) => time - times[index]!)
  expect(waits.slice(0, 6)).toEqual([100, 200, 400, 500, 100, 200])
  expect(sentences[0]).toBe('ended 0')
})
