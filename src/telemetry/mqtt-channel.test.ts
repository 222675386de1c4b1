import { createServer } from 'node:net'
import { once } from 'node:events'
import { Aedes } from 'aedes'
import { afterEach, expect, test, vi } from 'vitest'
import {
  createHostileBroker,
  PINGRESP,
  PUBACK,
  publishPacket,
  PUBREL,
  repeated,
} from '../../test/support/hostile-broker.ts'
import { systemClock } from '../core/clock.ts'
import { type MqttChannel, openMqttChannel } from './mqtt-channel.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function createBroker() {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    close: () => new Promise<void>((resolve) => broker.close(() => server.close(() => resolve()))),
  })
  return { broker, port: (server.address() as { port: number }).port }
}

function listen(port: number, changes: Partial<Parameters<typeof openMqttChannel>[0]> = {}) {
  const states: (string | null)[] = []
  const messages: string[] = []
  const channel: MqttChannel = openMqttChannel({
    parameters: { ip: '127.0.0.1', port, topic: 'drone/+' },
    dial: async (hostname) => hostname,
    onMessage: (payload) => messages.push(Buffer.from(payload).toString()),
    onState: (sentence) => states.push(sentence),
    clock: systemClock,
    ...changes,
  })
  open.push(channel)
  return { states, messages }
}

const publish = (broker: Aedes, payload: string) =>
  new Promise<void>((resolve, reject) =>
    broker.publish({ cmd: 'publish', topic: 'drone/1', payload, qos: 0, retain: false, dup: false }, (error) =>
      error ? reject(error) : resolve(),
    ),
  )

test('what is published is heard, and a message of many megabytes is never gathered', async () => {
  const { broker, port } = await createBroker()
  const { states, messages } = listen(port)
  await vi.waitFor(() => expect(states.at(-1)).toBeNull(), 5_000)
  await publish(broker, 'hello')
  await vi.waitFor(() => expect(messages).toEqual(['hello']))

  await publish(broker, 'x'.repeat(20 * 1024 * 1024))
  await vi.waitFor(() => expect(states.join()).toContain('more than 1048576 bytes'), 5_000)
  // It comes back by itself.
  await vi.waitFor(() => expect(states.at(-1)).toBeNull(), 10_000)
  await publish(broker, 'again')
  await vi.waitFor(() => expect(messages).toEqual(['hello', 'again']))
})

test('an address that may not be called is told, and never dialled', async () => {
  const refused = async () => {
    throw new Error('169.254.169.254 may not be called.')
  }
  const { states } = listen(1, { dial: refused })
  await vi.waitFor(() => expect(states).toContain('169.254.169.254 may not be called.'))
})

async function hostile(load: Buffer) {
  const broker = await createHostileBroker(load)
  open.push(broker)
  return { broker, ...listen(broker.port) }
}

test.each([
  ['PINGRESP', repeated(PINGRESP, 100_000), 'sends more than it is asked for'],
  ['PUBACK', repeated(PUBACK, 100_000), 'sends more than it is asked for'],
  ['PUBREL', repeated(PUBREL, 100_000), 'sends more than it is asked for'],
  ['messages', repeated([...publishPacket('drone/1', '')], 100_000), 'messages a second; choose a narrower topic'],
  ['nonsense', repeated([0xff], 100_000), 'sends what is not MQTT'],
])('a broker that sends %s without end is left, tried again, and told of', async (_name, load, sentence) => {
  const { broker, states } = await hostile(load)
  await vi.waitFor(() => expect(states.join()).toContain(`The broker 127.0.0.1:${broker.port} sends`), 5_000)
  expect(states.join()).toContain(sentence)
  await vi.waitFor(() => expect(broker.visits()).toBeGreaterThan(1), 5_000)
})

test('what a broker sent ahead of the fault for which it is left ends nothing else', async () => {
  const uncaught: unknown[] = []
  const onUncaught = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', onUncaught)
  open.push({ close: () => process.off('uncaughtException', onUncaught) })
  // By the time it comes to the last of them, the client has been closed for the packet behind them, which MQTT does not know.
  const messages = repeated([...publishPacket('drone/1', '{}')], 80)
  const { broker, states } = await hostile(Buffer.concat([messages, Buffer.from(PUBREL), Buffer.of(0, 0)]))
  await vi.waitFor(() => expect(broker.visits()).toBeGreaterThan(1), 5_000)
  expect(states.join()).toContain(`The broker 127.0.0.1:${broker.port} says`)
  expect(uncaught).toEqual([])
})

test('five thousand messages at once are heard, and others have a turn meanwhile', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    turning = setImmediate(count)
  }
  let turning = setImmediate(count)
  open.push({ close: () => clearImmediate(turning) })
  const { states, messages } = await hostile(repeated([...publishPacket('drone/1', '{}', 1)], 5_000))
  await vi.waitFor(() => expect(messages.length).toBeGreaterThan(0), { interval: 1, timeout: 5_000 })
  const before = turns
  const heardBefore = messages.length
  await vi.waitFor(() => expect(messages).toHaveLength(5_000), 5_000)
  expect(turns - before).toBeGreaterThanOrEqual(Math.floor((5_000 - heardBefore) / 100))
  expect(states.at(-1)).toBeNull()
})
