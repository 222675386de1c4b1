import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type HostAddress } from './host-address.ts'
import { createSharedResolver } from './resolve.ts'

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
/** Nothing is known but by the system. */
const query = async () => undefined
const address = [{ address: '192.0.2.1', family: 4 }]

test('a caller whose names say nothing holds up nobody else', async () => {
  const { asked, resolve } = createSlowNames()
  const resolver = createSharedResolver({ query, resolve, maxAtOnce: 2 })
  const slow = ['a.test', 'b.test', 'c.test'].map((name) => resolver.for('mallory')(name))
  const good = resolver.for('bob')('camera.test')
  await nextTurn()
  expect([...asked.keys()]).toEqual(['a.test', 'camera.test'])
  asked.get('camera.test')!.resolve(address)
  expect(await good).toEqual(address)
  for (const name of ['a.test', 'b.test', 'c.test']) {
    asked.get(name)!.resolve(address)
    await nextTurn()
  }
  expect(await Promise.all(slow)).toHaveLength(3)
})

test('who waits too long is let go, and one caller takes no more than its share of the places', async () => {
  const { resolve } = createSlowNames()
  const clock = createFakeClock()
  const resolver = createSharedResolver({ query, resolve, clock, maxAtOnce: 1 })
  const refusals: string[] = []
  const ask = (caller: string, name: string) =>
    void resolver
      .for(caller)(name)
      .catch(({ message }: Error) => refusals.push(message))
  for (let i = 0; i <= 25; i++) ask('mallory', `${i}.test`)
  ask('bob', 'camera.test')
  await nextTurn()
  expect(refusals).toEqual(Array(5).fill('Too many names are being looked up; try again in a moment.'))
  await clock.advance(5_000)
  await nextTurn()
  expect(refusals).toHaveLength(27)
  expect(refusals).toContain('0.test could not be looked up within 5 s.')
})

test('a name that is not known is rejected as it was', async () => {
  const resolver = createSharedResolver({ query, resolve: () => Promise.reject(new Error('ENOTFOUND')) })
  await expect(resolver.for('bob')('nobody.test')).rejects.toThrow('ENOTFOUND')
})

test('ten callers whose names DNS says nothing of hold up nobody, and the system is not asked', async () => {
  const { resolve, asked } = createSlowNames()
  const silence = createDeferred<undefined>()
  const resolver = createSharedResolver({
    query: (hostname) => (hostname.startsWith('slow') ? silence.promise : Promise.resolve(address)),
    resolve,
  })
  const refused = Array.from({ length: 10 }, (_, i) => resolver.for(`mallory ${i}`)('slow.test'))
  expect(await resolver.for('bob')('camera.test')).toEqual(address)
  silence.reject(new Error('ETIMEOUT'))
  for (const one of refused) await expect(one).rejects.toThrow('ETIMEOUT')
  expect(asked.size).toBe(0)
})
