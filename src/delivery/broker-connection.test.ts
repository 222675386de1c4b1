import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { afterEach, expect, test } from 'vitest'
import { createHostileBroker, PINGRESP, PUBACK, publishPacket, repeated } from '../../test/support/hostile-broker.ts'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { type BrokerConnection, openBrokerConnection } from './broker-connection.ts'

const releases: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

/** Waits between attempts are a tenth of what they are. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) }

async function listen(onSocket: (socket: Socket) => void): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  releases.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((done) => server.close(done))
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

function open(port: number, acknowledgeWithinMs?: number): BrokerConnection {
  const connection = openBrokerConnection({
    broker: { host: 'broker.test', port, tls: false },
    accountId: 'account',
    lookUp: async () => [{ address: '127.0.0.1', family: 4 }],
    availabilityTopic: 'availability',
    clock: hastyClock,
    acknowledgeWithinMs,
  })
  releases.push(() => connection.close())
  return connection
}

const publish = (connection: BrokerConnection, body = 'hello') =>
  connection.publish('yard', body, { qos: 1, retain: false })
const publishAtLast = (connection: BrokerConnection) =>
  until(() =>
    publish(connection).then(
      () => true,
      () => false,
    ),
  )

test('a broker that never acknowledges is left, and nothing is kept for it', async () => {
  const received: string[] = []
  const { port } = await listen((socket) => {
    let bytes = ''
    socket.on('data', (chunk) => {
      bytes += chunk.toString('latin1')
      // CONNACK of MQTT 5 (§3.2); there is nothing to PINGRESP so soon.
      if (chunk[0] === 0x10) socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
    })
    socket.on('close', () => received.push(bytes))
  })
  const connection = open(port, 50)
  for (const body of ['first', 'second']) {
    const isLeft = async () => {
      const error = await publish(connection, body).catch((reason: Error) => reason)
      return error!.message.includes('did not acknowledge') && received.some((bytes) => bytes.includes(body))
    }
    await until(isLeft)
  }
  const messages = received.filter((bytes) => bytes.includes('yard'))
  expect(new Set(messages.map((bytes) => bytes.split('yard').length - 1))).toEqual(new Set([1]))
})

/** A broker that knows only MQTT 3.1.1, behind something that takes connections also while the broker is away. */
async function createProxied() {
  const broker = await Aedes.createBroker()
  releases.push(() => new Promise<void>((done) => broker.close(() => done())))
  /** Of each CONNECT the version, and whether there is a last will (MQTT 5 §3.1.2). */
  const greetings: string[] = []
  let isAway = false
  const { port, sockets } = await listen((socket) => {
    socket.once('data', (chunk) => {
      const level = chunk.indexOf('MQTT') + 4
      greetings.push(`${chunk[level]}${(chunk[level + 1]! & 4) > 0 ? ' with a will' : ''}`)
      if (isAway) socket.destroy()
    })
    if (!isAway) broker.handle(socket)
  })
  return {
    port,
    greetings,
    leave() {
      isAway = true
      for (const socket of sockets) socket.destroy()
    },
    recover: () => void (isAway = false),
  }
}

test.each([1, 2, 3, 4])('a proxy whose broker is away %s times does not end the last will', async (times) => {
  const broker = await createProxied()
  broker.leave()
  const connection = open(broker.port)
  await until(async () => broker.greetings.length >= times)
  broker.recover()
  await publishAtLast(connection)
  expect(broker.greetings.at(-1)).toBe('4 with a will')
})

test('after a connection that was accepted the first variant is tried again', async () => {
  const broker = await createProxied()
  const connection = open(broker.port)
  await publishAtLast(connection)
  expect(broker.greetings).toEqual(['5 with a will', '4 with a will'])
  broker.leave()
  await until(async () => broker.greetings.length > 2)
  expect(broker.greetings[2]).toBe('5 with a will')
})

test('it is known since when a broker is away', async () => {
  const broker = await createProxied()
  const startedAtMs = systemClock.steady()
  const connection = open(broker.port)
  expect(connection.awaySinceMs()).toBeGreaterThanOrEqual(startedAtMs)
  await publishAtLast(connection)
  expect(connection.awaySinceMs()).toBeNull()
  const leftAtMs = systemClock.steady()
  broker.leave()
  await until(async () => connection.awaySinceMs() !== null)
  expect(connection.awaySinceMs()).toBeGreaterThanOrEqual(leftAtMs)
})

test.each([
  ['PINGRESP', repeated(PINGRESP, 100_000), 'sends more than it is asked for'],
  ['PUBACK', repeated(PUBACK, 100_000), 'sends more than it is asked for'],
  ['messages', repeated([...publishPacket('yard', '')], 100_000), 'sends messages that nobody asked for'],
])('a broker that sends %s without end is left, and named in the error', async (_name, load, sentence) => {
  const broker = await createHostileBroker(load, { after: 'connect' })
  releases.push(() => broker.close())
  const connection = open(broker.port)
  const complaint = () =>
    publish(connection).then(
      () => '',
      ({ message }: Error) => message,
    )
  await until(async () => (await complaint()).includes(sentence))
  await until(async () => broker.visits() > 1)
})

test('what is under way when it is closed fails with the given sentence', async () => {
  let bytes = Buffer.alloc(0)
  const { port } = await listen((socket) => {
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (chunk[0] === 0x10) socket.write(Buffer.from([0x20, 3, 0, 0, 0]))
      // Only the goodbye is acknowledged, by the packet identifier after its topic (MQTT 5 §3.3.2.2).
      const id = bytes.lastIndexOf('availability') + 'availability'.length
      if (bytes.includes('offline', id)) socket.write(Buffer.from([0x40, 2, bytes[id]!, bytes[id + 1]!]))
    })
  })
  const connection = open(port)
  const published = publish(connection).catch(({ message }: Error) => message)
  await until(async () => bytes.includes('yard'))
  await connection.close('The key was revoked.')
  expect(await published).toBe('The key was revoked.')
})
