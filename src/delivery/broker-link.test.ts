import { type AddressInfo, createServer } from 'node:net'
import { Aedes } from 'aedes'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { type BrokerLink, type BrokerLinkDeps, openBrokerLink } from './broker-link.ts'

const releases: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

/** Waits between attempts are a tenth of what they are. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }

async function createBroker(): Promise<number> {
  const broker = await Aedes.createBroker()
  const server = createServer((socket) => void broker.handle(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  releases.push(async () => {
    await new Promise<void>((done) => broker.close(done))
    await new Promise((done) => server.close(done))
  })
  return (server.address() as AddressInfo).port
}

function open(port: number, change: Partial<BrokerLinkDeps> = {}): { link: BrokerLink; sentences: string[] } {
  const sentences: string[] = []
  const deps: BrokerLinkDeps = {
    broker: { host: 'broker.test', port, tls: false },
    accountId: 'account',
    lookUp: async () => [{ address: '127.0.0.1', family: 4 }],
    availabilityTopic: 'availability',
    clock: hastyClock,
    ...change,
  }
  const link = openBrokerLink(deps, (sentence) => void sentences.push(sentence))
  releases.push(() => link.close('The test is over.'))
  return { link, sentences }
}

test('there is no client before there is a connection', async () => {
  const { link } = open(await createBroker())
  expect(() => link.client()).toThrow('There is no connection to the broker broker.test')
  await until(() =>
    link.whenConnected().then(
      () => true,
      () => false,
    ),
  )
  expect(link.client().connected).toBe(true)
})

test('a connection that was hung up on is made again', async () => {
  const { link, sentences } = open(await createBroker())
  const connected = () => until(async () => link.awaySinceMs() === null)
  await connected()
  const before = link.hangUps()
  link.hangUp('It does not answer.')
  expect(link.hangUps()).toBe(before + 1)
  expect(link.awaySinceMs()).not.toBeNull()
  await connected()
  expect(sentences).toContain('It does not answer.')
})

test('while a broker is away, callers learn at once why', async () => {
  const lookUp = () => Promise.reject(new Error('There is no host broker.test.'))
  // The next attempt is never made.
  const clock: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(1e9, signal) }
  const { link, sentences } = open(1, { lookUp, clock })
  await until(async () => sentences.length > 0)
  await expect(link.whenConnected()).rejects.toThrow('There is no host broker.test.')
})

test('callers that wait for a connection fail when it is closed', async () => {
  const { link } = open(1, { lookUp: () => new Promise(() => {}) })
  const waiting = link.whenConnected()
  void link.close('The service is stopping.')
  await expect(waiting).rejects.toThrow('The service is stopping.')
  releases.pop()
})
