import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createPulledPaths, type PulledCamera, type PulledPaths, type PullOrders } from './pulled-paths.ts'

const camera: PulledCamera = {
  accountId: 'ann',
  url: 'rtsp://camera/1',
  outbound: OPERATOR_RULES,
  mode: 'on-demand',
  silenceMs: 5_000,
}

let clock: FakeClock
let paths: PulledPaths
let orders: PullOrders
let sent: string[]
beforeEach(() => {
  clock = createFakeClock(1_000)
  ;({ pulledPaths: paths, pullOrders: orders } = createPulledPaths(clock))
  sent = []
  orders.onChange((message) => void sent.push(`${message.type} ${message.path}`))
})

const tokenOf = (path: string) =>
  orders.orders().flatMap((one) => (one.type === 'pull' && one.path === path ? [one.order.token] : []))[0]!
const question = (path: string, action: 'publish' | 'read' = 'publish') => ({ action, path }) as AccessQuestion

test('the media server learns of each change, and of all after its start', () => {
  paths.set('ann/gate', camera)
  paths.set('ann/yard', camera)
  paths.remove('ann/gate')
  paths.remove('ann/gate')
  expect(sent).toEqual(['pull ann/gate', 'pull ann/yard', 'unpull ann/gate'])
  expect(orders.orders()).toMatchObject([{ type: 'pull', path: 'ann/yard', order: { url: 'rtsp://camera/1' } }])
})

test('a camera that somebody waits for is called until the last has let go, whenever it is registered', () => {
  const modes = () => orders.orders().map((one) => one.type === 'pull' && one.order.mode)
  const [first, second] = [paths.hold('ann/gate'), paths.hold('ann/gate')]
  paths.set('ann/gate', camera)
  expect(modes()).toEqual(['always'])
  first()
  first()
  expect(modes()).toEqual(['always'])
  second()
  expect(modes()).toEqual(['on-demand'])
  expect(sent).toHaveLength(3)
})

describe('the token by which a camera is published', () => {
  test('is good for its path alone, as its account', async () => {
    paths.set('ann/gate', camera)
    paths.set('ann/yard', camera)
    const token = tokenOf('ann/gate')
    expect(await orders.issuer.find(token, question('ann/gate'))).toMatchObject({ accountId: 'ann' })
    expect(await orders.issuer.find(token, question('ann/yard'))).toBeUndefined()
    expect(await orders.issuer.find(token, question('ann/gate', 'read'))).toBeUndefined()
    paths.remove('ann/gate')
    expect(await orders.issuer.find(token, question('ann/gate'))).toBeUndefined()
  })

  test('stays while the camera is changed, and is another for another account', () => {
    paths.set('ann/gate', camera)
    const token = tokenOf('ann/gate')
    paths.set('ann/gate', { ...camera, mode: 'always' })
    expect(tokenOf('ann/gate')).toBe(token)
    paths.set('ann/gate', { ...camera, accountId: 'bob' })
    expect(tokenOf('ann/gate')).not.toBe(token)
  })
})

describe('how it goes with a camera', () => {
  test('the last failure stays known while it is tried again', async () => {
    paths.set('ann/gate', camera)
    orders.handle('ann/gate', { state: 'lost', sentence: 'Connection refused.' })
    await clock.advance(500)
    orders.handle('ann/gate', { state: 'connected' })
    const lastError = { sentence: 'Connection refused.', at: 1_000 }
    expect(paths.find('ann/gate')).toEqual({ state: 'connected', since: 1_500, lastError })
    orders.clearStates()
    expect(paths.find('ann/gate')).toMatchObject({ state: 'idle', lastError })
  })

  test('of a path that is no camera’s nothing is kept', () => {
    orders.handle('ann/gate', { state: 'connected' })
    expect(paths.find('ann/gate')).toBeUndefined()
  })
})

test('a camera is lost since that was noticed, however often it is called in vain', async () => {
  paths.set('ann/gate', camera)
  const since = () => paths.find('ann/gate')!.since
  orders.handle('ann/gate', { state: 'connected' })
  await clock.advance(5_000)
  orders.handle('ann/gate', { state: 'lost', sentence: 'It went away.' })
  const lostAt = since()
  expect(lostAt).toBe(6_000)
  await clock.advance(10_000)
  orders.handle('ann/gate', { state: 'connecting' })
  expect(since()).toBe(16_000)
  orders.handle('ann/gate', { state: 'lost', sentence: 'Connection refused.' })
  expect(since()).toBe(lostAt)
  orders.handle('ann/gate', { state: 'connecting' })
  orders.handle('ann/gate', { state: 'connected' })
  await clock.advance(1_000)
  orders.handle('ann/gate', { state: 'lost', sentence: 'It went away.' })
  expect(since()).toBe(17_000)
})
