import { MessageChannel } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { checkEvery, plausibleSenderTime } from './clock.ts'
import { createDeferred } from './deferred.ts'

describe('check every', () => {
  test('what came while the process stood still is read before it is checked', async () => {
    const { port1, port2 } = new MessageChannel()
    const calls: string[] = []
    const checked = createDeferred<number>()
    port1.on('message', () => calls.push('read'))
    // From here on time is looked at before messages are read, as where a process goes on after it stood still.
    await new Promise(setImmediate)
    const stop = checkEvery(
      20,
      () => calls.push('asked for the time'),
      (nowMs) => {
        calls.push('checked')
        checked.resolve(nowMs)
      },
    )
    port2.postMessage('alive')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
    expect(await checked.promise).toBe(1)
    expect(calls.slice(0, 3)).toEqual(['asked for the time', 'read', 'checked'])
    stop()
    port1.close()
  })
})

describe('sender time', () => {
  const NOON = Date.UTC(2026, 0, 1, 12)

  test.each([
    ['a clock that is nearly right is believed', NOON - 3_000, NOON - 3_000],
    ['so is one that is ten minutes behind', NOON - 600_000, NOON - 600_000],
    ['or ahead', NOON + 600_000, NOON + 600_000],
    ['not one that is further behind', NOON - 600_001, undefined],
    ['nor one in another time zone', NOON + 3_600_000, undefined],
    ['nor one that was never set', 0, undefined],
    ['a sender that says nothing is not known', undefined, undefined],
  ])('%s', (_name, sentMs, believed) => expect(plausibleSenderTime(sentMs, NOON)).toBe(believed))
})
