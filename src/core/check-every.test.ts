import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { checkEvery } from './check-every.ts'
import { createDeferred } from './deferred.ts'

test('what came while the process stood still is read before it is checked', async () => {
  const { port1, port2 } = new MessageChannel()
  const calls: string[] = []
  const checked = createDeferred<number>()
  port1.on('message', () => calls.push('read'))
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
