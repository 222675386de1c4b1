import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { createSharedResolver, type HostAddress } from './resolve.ts'

/** Names that are answered when the test says so. */
function createSlowNames() {
  const asked = new Map<string, Deferred<readonly HostAddress[]>>()
  const resolve = (hostname: string) => {
    const answer = createDeferred<readonly HostAddress[]>()
    asked.set(hostname, answer)
    return answer.promise
  }
  return { asked, resolve }
}
const address = [{ address: '192.0.2.1', family: 4 }]

test('a caller whose names say nothing holds up nobody else', async () => {
  const { asked, resolve } = createSlowNames()
  const resolver = createSharedResolver({ resolve, maxAtOnce: 2 })
  const slow = ['a.test', 'b.test', 'c.test'].map((name) => resolver.for('mallory')(name))
  const good = resolver.for('bob')('camera.test')
  expect([...asked.keys()]).toEqual(['a.test', 'camera.test'])
  asked.get('camera.test')!.resolve(address)
  expect(await good).toEqual(address)
  for (const name of ['a.test', 'b.test', 'c.test']) {
    asked.get(name)!.resolve(address)
    await nextTurn()
  }
  expect(await Promise.all(slow)).toHaveLength(3)
})

test('who waits too long is let go, and so is who comes when too many wait', async () => {
  const { resolve } = createSlowNames()
  const resolver = createSharedResolver({ resolve, maxAtOnce: 1, maxWaiting: 1, withinMs: 20 })
  const asked = await Promise.allSettled(
    ['one', 'two', 'three'].map((caller) => resolver.for(caller)(`${caller}.test`)),
  )
  expect(asked.map((one) => (one as PromiseRejectedResult).reason as Error)).toMatchObject([
    { message: 'one.test could not be looked up within 0.02 s.' },
    { message: 'two.test could not be looked up within 0.02 s.' },
    { message: 'Too many names are being looked up.' },
  ])
})

test('a name that is not known is rejected as it was', async () => {
  const resolver = createSharedResolver({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(resolver.for('bob')('nobody.test')).rejects.toThrow('ENOTFOUND')
})
