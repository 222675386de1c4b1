import { createServer, type Server, type Socket } from 'node:net'
import { type AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes } from 'aedes'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createMosquitto, type Mosquitto } from '../../test/support/mosquitto.ts'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { type MqttDestination, type OutboundMessage } from '../core/outbound-message.ts'
import { createOutboundPolicy } from '../outbound/policy.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createAddressLookup } from './address-lookup.ts'
import { NotDelivered, type Sender } from './message.ts'
import { createMqttSender } from './mqtt-sender.ts'

const AVAILABILITY = 'aerie/test/availability'
const availabilityOf = (login: string, port: number, accountId = 'account') =>
  `${AVAILABILITY}/${login}127.0.0.1:${port}/${accountId}`
const releases: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release()
})

function createSender(options: { idleMs?: number; ca?: string } = {}): Sender {
  const lookUp = createAddressLookup(createOutboundPolicy(OPERATOR_RULES), () => async (name) => {
    if (name !== 'localhost') throw new Error('ENOTFOUND')
    return [{ address: '127.0.0.1', family: 4 }]
  })
  const sender = createMqttSender({ lookUp, availabilityTopic: AVAILABILITY, clock: systemClock, ...options })
  releases.push(() => sender.close())
  return sender
}

const to = (port: number, body: string, change: Partial<MqttDestination> = {}): OutboundMessage => ({
  id: body,
  channel: 'channel',
  accountId: 'account',
  processId: null,
  destination: {
    kind: 'mqtt',
    host: '127.0.0.1',
    port,
    tls: false,
    topic: 'yard/alerts',
    qos: 1,
    retain: false,
    ...change,
  },
  body,
  createdAtMs: 0,
})

/** As the outbox does it. */
async function sendAtLast(sender: Sender, message: OutboundMessage): Promise<void> {
  const isSent = () =>
    sender.send(message).then(
      () => true,
      () => false,
    )
  await until(isSent)
}

/** Somebody who listens to everything at a broker. */
async function listen(port: number): Promise<{ client: MqttClient; heard: string[] }> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`)
  releases.push(() => client.endAsync(true))
  const heard: string[] = []
  client.on('message', (topic, payload, { retain }) =>
    heard.push(`${topic} ${payload.toString()}${retain ? ' (retained)' : ''}`),
  )
  await client.subscribeAsync('#')
  return { client, heard }
}

describe('at a real broker', () => {
  let broker: Mosquitto
  beforeEach(async () => {
    broker = await createMosquitto()
    releases.push(() => broker.remove())
  })

  test.each([0, 1, 2] as const)('a message arrives with QoS %s', async (qos) => {
    const { heard } = await listen(broker.port)
    await createSender().send(to(broker.port, 'hello', { qos }))
    await until(async () => heard.includes('yard/alerts hello'))
  })

  test('what is to be retained is retained', async () => {
    await createSender().send(to(broker.port, 'kept', { retain: true }))
    const { heard } = await listen(broker.port)
    await until(async () => heard.includes('yard/alerts kept (retained)'))
  })

  test('many at once share one connection and never overrun the broker', async () => {
    const { heard } = await listen(broker.port)
    const sender = createSender()
    await Promise.all(Array.from({ length: 200 }, (_, index) => sender.send(to(broker.port, String(index)))))
    await until(async () => heard.filter((line) => line.startsWith('yard/')).length === 200)
    expect(heard.filter((line) => line.startsWith(AVAILABILITY))).toEqual([`${availabilityOf('', broker.port)} online`])
  })

  test('availability is published: online, offline by a goodbye or after silence', async () => {
    const { heard } = await listen(broker.port)
    const sender = createSender({ idleMs: 200 })
    await sender.send(to(broker.port, 'hello'))
    await until(async () => heard.includes(`${availabilityOf('', broker.port)} online`))
    await until(async () => heard.includes(`${availabilityOf('', broker.port)} offline`))
    await sender.send(to(broker.port, 'again'))
    await until(async () => heard.includes('yard/alerts again'))
  })

  test('of two logins at one broker each says for itself whether it is there', async () => {
    const { heard } = await listen(broker.port)
    const [one, two] = [createSender(), createSender()]
    await one.send(to(broker.port, 'hello', { username: 'yard/north' }))
    await two.send(to(broker.port, 'hello', { username: 'south', password: 'word' }))
    await one.close()
    const [north, south] = [availabilityOf('yard%2Fnorth@', broker.port), availabilityOf('south@', broker.port)]
    await until(async () => heard.includes(`${north} offline`))
    expect(heard.filter((line) => line.startsWith(south))).toEqual([`${south} online`])
  })

  test('of two accounts with the same login each says for itself whether it is there', async () => {
    const { heard } = await listen(broker.port)
    const [one, two] = [createSender(), createSender()]
    await one.send({ ...to(broker.port, 'hello'), accountId: 'one' })
    await two.send({ ...to(broker.port, 'hello'), accountId: 'two' })
    await one.close()
    await until(async () => heard.includes(`${availabilityOf('', broker.port, 'one')} offline`))
    const other = availabilityOf('', broker.port, 'two')
    expect(heard.filter((line) => line.startsWith(other))).toEqual([`${other} online`])
  })

  test('a broker that was away gets the next message', async () => {
    const sender = createSender()
    await sender.send(to(broker.port, 'one'))
    await broker.kill()
    await expect(sender.send(to(broker.port, 'lost'))).rejects.toThrow('broker')
    await broker.start()
    const { heard } = await listen(broker.port)
    await sendAtLast(sender, to(broker.port, 'two'))
    await sender.send(to(broker.port, 'three'))
    await until(async () => heard.includes('yard/alerts three'))
  })
})

/** A broker in this process, of which the test has control. It knows MQTT 3.1 and 3.1.1. */
async function createAedes(options: { tls?: { cert: string; key: string } } = {}) {
  const broker = await Aedes.createBroker()
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    sockets.add(socket)
    broker.handle(socket)
  }
  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  releases.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((done) => broker.close(() => done()))
    await new Promise((done) => server.close(done))
  })
  const heard: string[] = []
  broker.on('publish', ({ topic, payload }, client) => client && heard.push(`${topic} ${payload.toString()}`))
  return { broker, heard, sockets, port: (server.address() as AddressInfo).port }
}

test('a broker that knows only MQTT 3.1.1 is spoken to in that', async () => {
  const { broker, heard, port } = await createAedes()
  const versions: unknown[] = []
  broker.preConnect = (_client, packet, done) => {
    versions.push(packet.protocolVersion)
    done(null, true)
  }
  await sendAtLast(createSender(), to(port, 'hello'))
  await until(async () => heard.includes('yard/alerts hello'))
  expect(versions).toEqual([5, 4])
})

test('a login is shown; a wrong one is reported; other logins have connections of their own', async () => {
  const { broker, heard, port } = await createAedes()
  broker.authenticate = (_client, username, password, done) =>
    done(null, username === 'me' && password?.toString() === 'word')
  const sender = createSender()
  const wrong = sender
    .send(to(port, 'no', { username: 'me', password: 'wrong' }))
    .catch((error: Error) => error.message)
  await sendAtLast(sender, to(port, 'yes', { username: 'me', password: 'word' }))
  await until(async () => heard.includes('yard/alerts yes'))
  await sender.close()
  expect(await wrong).toContain('The broker')
})

test('TLS is verified for the name of the broker', async () => {
  const pair = createSelfSigned()
  const { heard, port } = await createAedes({ tls: pair })
  const sender = createSender({ ca: pair.cert })
  await sendAtLast(sender, to(port, 'hello', { host: 'localhost', tls: true }))
  await until(async () => heard.includes('yard/alerts hello'))
})

test('a broken connection fails what is under way at once, and comes back', async () => {
  const { broker, heard, port, sockets } = await createAedes()
  const sender = createSender()
  await sendAtLast(sender, to(port, 'first'))
  broker.authorizePublish = () => {
    for (const socket of sockets) socket.destroy()
  }
  await expect(sender.send(to(port, 'lost'))).rejects.toThrow('onnection')
  broker.authorizePublish = (_client, _packet, done) => done(null)
  await sendAtLast(sender, to(port, 'second'))
  await until(async () => heard.includes('yard/alerts second'))
})

test('what a broker hangs up on fails nothing of another account, though the login is the same', async () => {
  const { broker, heard, port } = await createAedes()
  const held = createDeferred()
  const isHeld = createDeferred()
  broker.authorizePublish = (client, { topic }, done) => {
    if (topic === 'poison') {
      client!.close()
      held.resolve()
    } else if (topic === 'yard/alerts') {
      isHeld.resolve()
      void held.promise.then(() => done(null))
    } else done(null)
  }
  const sender = createSender()
  await sendAtLast(sender, { ...to(port, 'before', { topic: 'hall' }), accountId: 'greedy' })
  await sendAtLast(sender, to(port, 'before', { topic: 'hall' }))
  const sent = sender.send(to(port, 'hello'))
  await isHeld.promise
  await expect(sender.send({ ...to(port, 'x', { topic: 'poison' }), accountId: 'greedy' })).rejects.toThrow('broker')
  await sent
  expect(heard).toContain('yard/alerts hello')
})

test('a topic that a broker hangs up on is tried ever less often', async () => {
  const { broker, port } = await createAedes()
  broker.authorizePublish = (client, { topic }, done) => (topic === 'poison' ? client!.close() : done(null))
  const sender = createSender()
  const waits = new Set<number>()
  const isPatient = async () => {
    await sendAtLast(sender, to(port, 'fine'))
    const error = await sender.send(to(port, 'x', { topic: 'poison' })).catch((reason: NotDelivered) => reason)
    if (error?.retryAfterMs !== undefined) waits.add(error.retryAfterMs)
    return waits.size === 2
  }
  await until(isPatient)
  expect([...waits]).toEqual([10_000, 20_000])
}, 10_000)

test.each([
  { host: '169.254.169.254', sentence: 'may not be called' },
  { host: 'nowhere.test', sentence: 'no host' },
])(
  '$host is never dialled',
  async ({ host, sentence }) => {
    const sender = createSender()
    const failed = sender.send(to(1883, 'hello', { host })).catch((error: Error) => error.message)
    expect(await failed).toContain(sentence)
  },
  15_000,
)

test('a broker that sends what nobody asked for is left', async () => {
  const { broker, port } = await createAedes()
  let visits = 0
  broker.on('clientReady', (client) => {
    visits += 1
    const packet = { cmd: 'publish', topic: 'flood', payload: Buffer.alloc(900_000), qos: 0, retain: false, dup: false }
    client.publish(packet as never, () => {})
  })
  const sender = createSender()
  const complaint = () =>
    sender.send(to(port, 'hello')).then(
      () => '',
      (error: Error) => error.message,
    )
  await until(async () => /sends (more|messages)/.test(await complaint()))
  expect(visits).toBeGreaterThan(0)
})

test('of a name’s addresses one after the other is tried', async () => {
  const { heard, port } = await createAedes()
  const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const lookUp = createAddressLookup(createOutboundPolicy(OPERATOR_RULES), () => async () => addresses)
  const sender = createMqttSender({ lookUp, availabilityTopic: AVAILABILITY, clock: systemClock })
  releases.push(() => sender.close())
  await sendAtLast(sender, to(port, 'hello', { host: 'broker.example' }))
  // The receipt may come before the broker has notified its own listener.
  await until(async () => heard.includes('yard/alerts hello'))
})

describe('brokers that are not there', () => {
  /** Only 127.0.0.1 is known. */
  const createCounting = (clock: Clock = systemClock) => {
    const dialled: string[] = []
    const sender = createMqttSender({
      lookUp: async (host) => {
        dialled.push(host)
        if (host !== '127.0.0.1') throw new NotDelivered('There is no such host.')
        return [{ address: host, family: 4 }]
      },
      availabilityTopic: AVAILABILITY,
      clock,
    })
    releases.push(() => sender.close())
    return { sender, dialled }
  }
  const sendToWrong = async (sender: Sender, accountId: string) => {
    const sent = Array.from({ length: 40 }, (_, index) =>
      sender.send({ ...to(1, 'hello', { host: `${accountId}-${index}.test` }), accountId }),
    )
    for (const { status } of await Promise.allSettled(sent)) expect(status).toBe('rejected')
  }

  test.each([
    { name: 'of one key', keys: ['account'] },
    { name: 'of many keys', keys: [...'abcdefghijklm'] },
  ])('$name give way to one that is', async ({ keys }) => {
    const { heard, port } = await createAedes()
    const { sender } = createCounting()
    for (const key of keys) await sendToWrong(sender, key)
    await sendAtLast(sender, to(port, 'hello'))
    await until(async () => heard.includes('yard/alerts hello'))
  })

  test('are left when nobody has used them for a minute', async () => {
    const clock = createFakeClock()
    const { sender, dialled } = createCounting(clock)
    await expect(sender.send(to(1, 'hello', { host: 'wrong.test' }))).rejects.toThrow('no such host')
    for (let seconds = 0; seconds < 45; seconds += 15) await clock.advance(15_000)
    expect(dialled.length).toBeGreaterThan(1)
    for (let seconds = 0; seconds < 45; seconds += 15) await clock.advance(15_000)
    const before = dialled.length
    for (let seconds = 0; seconds < 300; seconds += 15) await clock.advance(15_000)
    expect(dialled).toHaveLength(before)
  })
})
