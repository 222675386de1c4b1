import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { backoffMs, keepTrying, retry } from './retry.ts'

describe('backoff', () => {
  test.each([
    [0, 250],
    [1, 500],
    [5, 8_000],
    [6, 10_000],
    [1e6, 10_000],
  ])('after %s failures it waits %s ms', (failures, waitMs) => {
    expect(backoffMs(failures, { firstMs: 250, maxMs: 10_000 })).toBe(waitMs)
  })
})

describe('trying again', () => {
  describe('retry', () => {
    function failing(times: number) {
      const events: string[] = []
      let calls = 0
      const once = () => {
        calls += 1
        return calls > times ? Promise.resolve(`after ${calls}`) : Promise.reject(new Error(`failure ${calls}`))
      }
      const options = {
        clock: { sleep: (ms: number) => Promise.resolve(void events.push(`wait ${ms}`)) },
        waitMs: 500,
        isWanted: (tries: number) => tries < 4,
        onRetry: (error: unknown, tries: number) => void events.push(`${(error as Error).message} of ${tries}`),
      }
      return { events, result: retry(once, options) }
    }

    test('what succeeds at once is done once', async () => {
      const { events, result } = failing(0)
      expect(await result).toBe('after 1')
      expect(events).toEqual([])
    })

    test('what fails is done again after a wait', async () => {
      const { events, result } = failing(2)
      expect(await result).toBe('after 3')
      expect(events).toEqual(['failure 1 of 1', 'wait 500', 'failure 2 of 2', 'wait 500'])
    })

    test('what is not wanted any more fails with the last failure, which is not reported beside', async () => {
      const { events, result } = failing(9)
      await expect(result).rejects.toThrow('failure 4')
      expect(events).toHaveLength(6)
    })
  })

  describe('keep trying', () => {
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
  })
})
