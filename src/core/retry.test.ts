import { describe, expect, test } from 'vitest'
import { retry } from './retry.ts'

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
