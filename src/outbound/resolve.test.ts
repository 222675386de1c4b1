import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { createSharedResolver, findInHosts, type HostAddress, queryDns } from './resolve.ts'

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

describe('hosts file', () => {
  const text = [
    '127.0.0.1\tlocalhost',
    '::1 localhost ip6-localhost',
    '# 192.0.2.1 gone.test',
    '192.0.2.2 Camera.test cam # the north gate',
    'nonsense cam',
    '',
  ].join('\n')

  test.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['camera.test', ['192.0.2.2']],
    ['CAM', ['192.0.2.2']],
    ['LOCALHOST.', ['127.0.0.1', '::1']],
    ['gone.test', undefined],
    ['north', undefined],
    ['192.0.2.2', undefined],
  ])('%s is at %j', (name, wanted) => {
    expect(findInHosts(text, name)?.map(({ address }) => address)).toEqual(wanted)
  })
})

describe('dns query', () => {
  /** RFC 1035 §4: knows camera.test, says nothing of names with `silent` in them, and that there is no other. */
  const server = createSocket('udp4', (query, from) => {
    const text = query.toString('latin1')
    if (text.includes('silent')) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isIpv4 = question.readUInt16BE(question.length - 4) === 1
    const isKnown = text.includes('camera')
    const answers = isKnown && isIpv4 ? ['c00c000100010000000a0004c0000201'] : []
    const head = `${isKnown ? '8180' : '8183'}0001000${answers.length}00000000`
    const parts = [query.subarray(0, 2), Buffer.from(head, 'hex'), question, Buffer.from(answers.join(''), 'hex')]
    server.send(Buffer.concat(parts), from.port, from.address)
  })
  beforeAll(async () => {
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => void server.close())

  const ask = (name: string) => queryDns(name, [`127.0.0.1:${server.address().port}`])

  test('a name that DNS knows is answered, one that it does not know is left to the system', async () => {
    expect(await ask('camera.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
    expect(await ask('nobody.test')).toBeUndefined()
  })

  test('a name of which DNS says nothing is given up within seconds, and only local ones are left to the system', async () => {
    const [silent, local] = [ask('silent.test'), ask('silent.local')]
    await expect(silent).rejects.toThrow('ETIMEOUT')
    expect(await local).toBeUndefined()
  })
})
