import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNatsRig, type NatsRig } from '../../test/support/nats-rig.ts'
import { until } from '../../test/support/until.ts'
import { createNatsBus, type NatsBus } from './nats-bus.ts'
import { type NatsOptions } from './nats-connection.ts'
import { MAX_UNCONFIRMED_BYTES } from './unconfirmed-bytes.ts'

let rig: NatsRig
beforeEach(() => void (rig = createNatsRig()))
afterEach(() => rig.end())

function startBus(url: string, options: Partial<NatsOptions> = {}): NatsBus {
  const bus = createNatsBus({ url, name: 'a test', ...options }, { log: rig.log })
  rig.onEnd(() => bus.close())
  return bus
}

const isUp = (bus: NatsBus) => until(async () => bus.isConnected)
const textOf = (data: Uint8Array) => Buffer.from(data).toString()

/** Resolves with the next message there. */
const nextAt = (bus: NatsBus, subject: string) =>
  new Promise<string>((resolve) => {
    const end = bus.subscribe(subject, ({ data }) => {
      end()
      resolve(textOf(data))
    })
  })

/** Says it again until somebody has heard it: a subscription takes its time to be known. */
async function say(bus: NatsBus, subject: string, text: string, heard: Promise<string>): Promise<string> {
  let isHeard = false
  void heard.then(() => (isHeard = true))
  await until(async () => {
    bus.publish(subject, Buffer.from(text))
    return isHeard
  })
  return heard
}

describe('messages', () => {
  test('arrive at those who subscribed, until they end it', async () => {
    const { url } = await rig.startServer()
    const [a, b] = [startBus(url), startBus(url)]
    const heard: string[] = []
    const end = b.subscribe('aerie.test.*', ({ subject, data }) => heard.push(`${subject} ${textOf(data)}`))
    await Promise.all([isUp(a), isUp(b)])
    await say(a, 'aerie.test.one', 'first', nextAt(b, 'aerie.test.one'))
    expect(heard[0]).toBe('aerie.test.one first')
    end()
    const count = heard.length
    await say(a, 'aerie.test.one', 'second', nextAt(b, 'aerie.test.one'))
    expect(heard).toHaveLength(count)
  })

  test('one that the server would not take is not sent, and its operator is told what to do', async () => {
    const { url } = await rig.startServer(['max_payload: 1000'])
    const bus = startBus(url)
    await isUp(bus)
    expect(bus.publish('aerie.test', Buffer.alloc(1001))).toBe(false)
    expect(rig.lines.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/set its max_payload to 65536/))
    expect(await say(bus, 'aerie.test', 'short', nextAt(bus, 'aerie.test'))).toBe('short')
  })

  test('a handler that throws costs its message alone', async () => {
    const { url } = await rig.startServer()
    const bus = startBus(url)
    bus.subscribe('aerie.test', () => {
      throw new Error('not today')
    })
    await isUp(bus)
    await say(bus, 'aerie.test', 'hello', nextAt(bus, 'aerie.test'))
    expect(rig.lines.find(({ msg }) => msg === 'a message of another node could not be handled')).toBeDefined()
    expect(await say(bus, 'aerie.other', 'still here', nextAt(bus, 'aerie.other'))).toBe('still here')
  })

  test('a server that reads nothing is sent a bounded amount, and all goes on when it reads again', async () => {
    const nats = await rig.startServer()
    const bus = startBus(nats.url)
    await isUp(bus)
    nats.freeze()
    const message = Buffer.alloc(64 * 1024)
    let sent = 0
    while (bus.publish('aerie.test', message)) sent += message.length
    expect(sent).toBe(MAX_UNCONFIRMED_BYTES)
    const room = bus.whenRoom()
    nats.thaw()
    await room
    expect(bus.publish('aerie.test', message)).toBe(true)
  })
})

test('what was published before it is closed arrives', async () => {
  const { url } = await rig.startServer()
  const [a, b] = [startBus(url), startBus(url)]
  await Promise.all([isUp(a), isUp(b)])
  let bytes = 0
  b.subscribe('aerie.last', ({ data }) => (bytes += data.length))
  await say(a, 'aerie.known', 'x', nextAt(b, 'aerie.known'))
  for (let i = 0; i < 100; i++) a.publish('aerie.last', Buffer.alloc(60_000))
  await a.close()
  await until(async () => bytes === 6_000_000)
})

test('closing waits a moment only for a server that reads nothing', async () => {
  const nats = await rig.startServer()
  const bus = startBus(nats.url)
  await isUp(bus)
  nats.freeze()
  await bus.close()
})

describe('requests', () => {
  test('are answered', async () => {
    const { url } = await rig.startServer()
    const [a, b] = [startBus(url), startBus(url)]
    b.subscribe('aerie.echo', ({ data, respond }) => respond(Buffer.from(`you said ${textOf(data)}`)))
    await Promise.all([isUp(a), isUp(b)])
    await say(a, 'aerie.known', 'x', nextAt(b, 'aerie.known'))
    const answer = await a.request('aerie.echo', Buffer.from('hello'), { timeoutMs: 5_000 })
    expect(textOf(answer)).toBe('you said hello')
  })

  test('to nobody fail at once', async () => {
    const bus = startBus((await rig.startServer()).url)
    await isUp(bus)
    // No deadline that a test would wait for.
    const request = bus.request('aerie.nobody', Buffer.alloc(0), { timeoutMs: 600_000 })
    await expect(request).rejects.toMatchObject({ failure: 'nobody' })
  })

  test('that nobody answers end at their deadline', async () => {
    const bus = startBus((await rig.startServer()).url)
    bus.subscribe('aerie.silent', () => {})
    await isUp(bus)
    await say(bus, 'aerie.known', 'x', nextAt(bus, 'aerie.known'))
    const request = bus.request('aerie.silent', Buffer.alloc(0), { timeoutMs: 50 })
    await expect(request).rejects.toMatchObject({ failure: 'late' })
  })

  test('that are larger than the server takes fail by that name, and others go on', async () => {
    const bus = startBus((await rig.startServer(['max_payload: 1000'])).url)
    bus.subscribe('aerie.echo', ({ data, respond }) => respond(data))
    await isUp(bus)
    await say(bus, 'aerie.known', 'x', nextAt(bus, 'aerie.known'))
    const large = bus.request('aerie.echo', Buffer.alloc(1001), { timeoutMs: 600_000 })
    await expect(large).rejects.toMatchObject({ failure: 'too-large' })
    expect(await bus.request('aerie.echo', Buffer.alloc(10), { timeoutMs: 5_000 })).toHaveLength(10)
  })

  test('fail at once while NATS is away', async () => {
    const nats = await rig.startServer()
    await nats.kill()
    const bus = startBus(nats.url)
    const request = bus.request('aerie.echo', Buffer.alloc(0), { timeoutMs: 600_000 })
    await expect(request).rejects.toMatchObject({ failure: 'away' })
  })
})

describe('outages', () => {
  const outageLines = () => rig.lines.filter(({ msg }) => /^NATS is/.test(String(msg)))

  test('the first connection may be late; that is said once, and how long it took', async () => {
    const nats = await rig.startServer()
    await nats.kill()
    const bus = startBus(nats.url)
    const heard = nextAt(bus, 'aerie.early')
    expect(bus.publish('aerie.early', Buffer.from('lost'))).toBe(false)
    await until(async () => rig.lines.length > 0)
    await nats.start()
    await isUp(bus)
    // What subscribed before there was a connection is heard on it.
    expect(await say(bus, 'aerie.early', 'now', heard)).toBe('now')
    await until(async () => outageLines().length === 2)
    expect(outageLines().map(({ msg }) => msg)).toEqual([expect.stringMatching(/^NATS is away/), 'NATS is back'])
    expect(outageLines()[0]).toMatchObject({ reason: 'connection refused' })
    expect(outageLines()[1]).toMatchObject({ away_ms: expect.any(Number) })
  })

  test('subscriptions go on after the server was killed and started again', async () => {
    const nats = await rig.startServer()
    const bus = startBus(nats.url)
    const changes: boolean[] = []
    bus.onConnection((isConnected) => changes.push(isConnected))
    await isUp(bus)
    const heard = nextAt(bus, 'aerie.test')
    await nats.kill()
    await until(async () => !bus.isConnected)
    expect(bus.publish('aerie.test', Buffer.from('lost'))).toBe(false)
    await nats.start()
    await isUp(bus)
    expect(await say(bus, 'aerie.test', 'back', heard)).toBe('back')
    expect(changes).toEqual([true, false, true])
    await until(async () => outageLines().length === 2)
  })

  test('with a second server it goes on there', async () => {
    const [first, second] = [await rig.startServer(), await rig.startServer()]
    const bus = startBus(`${first.url},${second.url}`)
    await isUp(bus)
    await first.kill()
    await second.kill()
    await until(async () => !bus.isConnected)
    await second.start()
    await isUp(bus)
    expect(await say(bus, 'aerie.test', 'here', nextAt(bus, 'aerie.test'))).toBe('here')
  })

  test('a server that answers no pings any more is away', async () => {
    const nats = await rig.startServer()
    const bus = startBus(nats.url)
    await isUp(bus)
    nats.freeze()
    await until(async () => !bus.isConnected, 10_000)
    expect(outageLines()[0]).toMatchObject({ reason: 'it answers no pings.' })
    nats.thaw()
    await isUp(bus)
  })

  test('closing while NATS is away ends the tries', async () => {
    const nats = await rig.startServer()
    await nats.kill()
    const bus = startBus(nats.url)
    await until(async () => rig.lines.length > 0)
    await bus.close()
    await nats.start()
    const probe = startBus(nats.url)
    await isUp(probe)
    expect(bus.isConnected).toBe(false)
    expect(bus.publish('aerie.test', Buffer.alloc(1))).toBe(false)
  })
})

test('what this process holds for a server that is away does not grow', async () => {
  const nats = await rig.startServer()
  const bus = startBus(nats.url)
  await isUp(bus)
  const gone = new Promise<void>((resolve) => bus.onConnection((isConnected) => !isConnected && resolve()))
  await nats.kill()
  await gone
  const message = Buffer.alloc(64)
  let taken = 0
  for (let i = 0; i < 10_000; i++) if (bus.publish('aerie.test', message)) taken++
  expect(taken).toBe(0)
})
