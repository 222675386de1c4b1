import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPacketMaker, threeTracks } from '../../../test/builders/three-tracks.ts'
import { startMediaNode, type TestMediaNode } from '../../../test/support/media-node.ts'
import { measureRelay, percentile } from '../../../test/support/relay-latency.ts'
import { asAda } from '../../../test/support/rtsp-roles.ts'
import { connectRtsp, type RtspClient } from '../../../test/support/rtsp-client.ts'
import { until } from '../../../test/support/until.ts'
import { type RelayRoute } from '../messages.ts'
import { OWN_SERVER } from '../rtsp/client/connection.ts'
import { openRtspPlayer } from '../rtsp/client/player.ts'
import { openRtspPublisher, type RtspPublisher } from '../rtsp/client/publisher.ts'
import { buildSenderReport } from '../rtsp/wire/rtcp.ts'

let origin: TestMediaNode
let other: TestMediaNode
const toClose: { close(): unknown }[] = []
beforeEach(async () => {
  origin = await startMediaNode()
  other = await startMediaNode({ haste: 5 })
  other.route = async (path) => ({ kind: 'pull', url: origin.urlFor(path) })
  toClose.push(origin, other)
})
afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close()
})

/** As Ada. */
const urlOn = ({ port }: TestMediaNode, path = 'ada/cam') => `rtsp://ada:secret@127.0.0.1:${port}/${path}`

async function publish(node = origin, path = 'ada/cam'): Promise<RtspPublisher> {
  const publisher = await openRtspPublisher(urlOn(node, path), threeTracks)
  await publisher.record()
  toClose.push(publisher)
  return publisher
}

async function read(node: TestMediaNode, path = 'ada/cam') {
  const player = await openRtspPlayer(urlOn(node, path), OWN_SERVER)
  const packets: [track: number, hex: string][] = []
  const ends: string[] = []
  await player.start({
    packet: (track, data) => void packets.push([track, data.toString('hex')]),
    report: () => {},
    end: (reason) => void ends.push(reason),
  })
  toClose.push(player)
  return { player, packets, ends }
}

/** Everything that a client gets on a connection of its own, by channel, as it is on the wire. */
async function record(node: TestMediaNode) {
  const client: RtspClient = await connectRtsp(node.port)
  toClose.push(client)
  const url = `rtsp://127.0.0.1:${node.port}/ada/cam`
  const described = await client.request('DESCRIBE', url, { Accept: 'application/sdp', ...asAda })
  let session = {}
  for (const track of [0, 1, 2]) {
    const transport = { Transport: `RTP/AVP/TCP;unicast;interleaved=${2 * track}-${2 * track + 1}` }
    const { headers } = await client.request('SETUP', `${url}/trackID=${track}`, { ...transport, ...session })
    session = { Session: headers.get('session')!.split(';')[0]! }
  }
  await client.request('PLAY', `${url}/`, session)
  return {
    sdp: described.body.toString(),
    async take(count: number) {
      const byChannel = new Map<number, string[]>()
      for (const { channel, data } of await client.frames(count)) {
        // Of a sender report, what it says of the sender's clock; how much was sent so far is each reader's own.
        const what = channel % 2 === 1 ? data.subarray(4, 20) : data
        byChannel.set(channel, [...(byChannel.get(channel) ?? []), what.toString('hex')])
      }
      return [...byChannel].sort(([a], [b]) => a - b)
    },
  }
}

const readersOf = ({ hub }: TestMediaNode, path = 'ada/cam') => hub.readerCount(path)
/** The sentence with which a reader is refused; rejects when it is not. */
async function refusal(node: TestMediaNode, path = 'ada/cam'): Promise<string> {
  const player = await openRtspPlayer(urlOn(node, path), OWN_SERVER).catch((error: Error) => error.message)
  if (typeof player === 'string') return player
  await player.close()
  throw new Error('It is not refused.')
}

/** Both get the same of what is published from now on. */
async function expectSame(publisher: RtspPublisher): Promise<void> {
  const makers = [createPacketMaker(96, 7), createPacketMaker(97, 8), createPacketMaker(98, 9)]
  publisher.write(0, makers[0]!('key'))
  const [there, here] = [await record(origin), await record(other)]
  expect(here.sdp).toBe(there.sdp)
  expect(here.sdp).toContain('smpte336m')
  expect(await here.take(1)).toEqual(await there.take(1))
  for (let round = 1; round <= 20; round++) {
    for (const [track, make] of makers.entries()) {
      publisher.write(track, make())
      const wallClockMs = Date.UTC(2026, 5, 1) + (round + track) / 7
      const fields = { ssrc: 1, timestamp: 3000 * round, wallClockMs, packets: 1, payloadBytes: 1 }
      publisher.writeReport(track, buildSenderReport(fields))
    }
    const [wanted, got] = [await there.take(6), await here.take(6)]
    expect(wanted.map(([channel]) => channel)).toEqual([0, 1, 2, 3, 4, 5])
    expect(got).toEqual(wanted)
  }
}

describe('a stream that is live on another node', () => {
  beforeEach(() => other.relays.set('ada/cam', 'origin'))

  test('is the same here: description, packets of all tracks, and sender reports, bit by bit', async () => {
    await expectSame(await publish())
  })

  test('is read there once, however many read it here, and is no publication of anybody', async () => {
    const publisher = await publish()
    const makePacket = createPacketMaker(96, 7)
    publisher.write(0, makePacket('key'))
    const readers = await Promise.all(Array.from({ length: 50 }, () => read(other)))
    publisher.write(0, makePacket())
    await until(async () => readers.every(({ packets }) => packets.length === 2))
    expect([readersOf(origin), readersOf(other), other.routesAsked.length]).toEqual([1, 50, 1])
    expect(other.hub.list()).toMatchObject([{ path: 'ada/cam', isRelay: true }])
    expect([other.events, other.hub.takeVideoTimes()]).toEqual([[], []])
  })

  test('comes here as soon as it is there, and not a frame later', async () => {
    const url = urlOn(origin)
    const { added } = await measureRelay({ publishUrl: url, originUrl: url, relayUrl: urlOn(other), frames: 90 })
    expect(added.length).toBeGreaterThan(80)
    expect(percentile(added, 0.5)).toBeLessThan(10)
  })

  test('comes to late readers from the last keyframe on', async () => {
    const publisher = await publish()
    const makePacket = createPacketMaker(96, 7)
    const first = await read(other)
    const sent = ['key', 'delta', 'key', 'delta'].map((kind) => makePacket(kind as 'key'))
    for (const packet of sent) publisher.write(0, packet)
    await until(async () => first.packets.length === 4)
    const late = await read(other)
    await until(async () => late.packets.length === 2)
    expect(late.packets).toEqual(first.packets.slice(2))
  })

  test('is left ten seconds after its last reader, and not before', async () => {
    await publish()
    const first = await read(other)
    await first.player.close()
    await until(async () => readersOf(other) === 0)
    const again = await read(other)
    expect([readersOf(origin), other.routesAsked.length]).toEqual([1, 1])
    await again.player.close()
    const leftAt = performance.now()
    await until(async () => readersOf(origin) === 0)
    // At five times the pace.
    expect(performance.now() - leftAt).toBeGreaterThan(1_900)
    expect(other.hub.list()).toEqual([])
    await read(other)
    expect(readersOf(origin)).toBe(1)
  })

  test('ends here when it ends there, and can be read again when it is back', async () => {
    const publisher = await publish()
    const reader = await read(other)
    await publisher.close()
    await until(async () => reader.ends.length === 1)
    expect(await refusal(other)).toContain('404 Nothing is being published to ada/cam now')
    await publish()
    // The node is not dialled more often than once a second, however often readers ask.
    expect(await refusal(other)).toContain('404')
    expect(other.routesAsked).toHaveLength(3)
    await until(async () => (await refusal(other).catch(() => 'it is read')) === 'it is read')
  })

  test('ends here when its publisher has come again there, as for readers there', async () => {
    await publish()
    const [there, here] = [await read(origin), await read(other)]
    await publish()
    await until(async () => there.ends.length + here.ends.length === 2)
    expect(await read(other)).toBeDefined()
  })

  test('ends when its node dies, and who comes then is told', async () => {
    await publish()
    const reader = await read(other)
    await origin.close()
    await until(async () => reader.ends.length === 1)
    other.route = async (path, failure) =>
      failure === undefined
        ? { kind: 'pull', url: origin.urlFor(path) }
        : { kind: 'none', sentence: `The node "origin" cannot be reached: ${failure}` }
    expect(await refusal(other)).toContain('503 The node "origin" cannot be reached: Connection refused')
  })

  test('gives way to a publisher that comes here: who read the relay is ended, as when a publisher is replaced', async () => {
    await publish()
    const reader = await read(other)
    await publish(other)
    await until(async () => reader.ends.length === 1 && readersOf(origin) === 0)
    await read(other)
    expect([readersOf(origin), readersOf(other), other.routesAsked.length]).toEqual([0, 1, 1])
    expect(other.events).toMatchObject([{ type: 'live', path: 'ada/cam', principal: 'ada' }])
  })

  test('who waits for it gets the stream of a publisher that comes here meanwhile', async () => {
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => (isAsked = resolve))
    let answer: (route: RelayRoute) => void = () => {}
    other.route = () => (isAsked(), new Promise((resolve) => (answer = resolve)))
    const waiting = read(other)
    await asked
    await publish(other)
    answer({ kind: 'pull', url: origin.urlFor('ada/cam') })
    await waiting
    expect([readersOf(other), other.hub.isPublished('ada/cam')]).toEqual([1, true])
  })

  test('is read from another node when it has gone there; when it is nowhere, readers are ended', async () => {
    const third = await startMediaNode()
    toClose.push(third)
    await publish()
    const reader = await read(other)
    await publish(third)
    other.route = async (path) => ({ kind: 'pull', url: third.urlFor(path) })
    other.relays.set('ada/cam', 'third')
    await until(async () => reader.ends.length === 1)
    const again = await read(other)
    expect([readersOf(origin), readersOf(third)]).toEqual([0, 1])
    other.relays.remove('ada/cam')
    await until(async () => again.ends.length === 1)
    expect(await refusal(other)).toContain('404')
  })

  test('is not relayed any further, nor in a circle', async () => {
    const third = await startMediaNode()
    toClose.push(third)
    third.route = async (path) => ({ kind: 'pull', url: other.urlFor(path) })
    third.relays.set('ada/cam', 'other')
    await publish()
    await read(other)
    expect(await refusal(third)).toContain('404 Nothing is being published to ada/cam now')
    await expect(other.pushes.start('1', 'ada/cam', third.urlFor('ada/cam'))).rejects.toThrow(
      'Nothing is being published',
    )

    origin.route = async (path) => ({ kind: 'pull', url: other.urlFor(path) })
    other.relays.set('ada/round', 'origin')
    origin.relays.set('ada/round', 'other')
    expect(await Promise.all([refusal(origin, 'ada/round'), refusal(other, 'ada/round')])).toEqual([
      expect.stringContaining('404'),
      expect.stringContaining('404'),
    ])
    // Each has looked for another way too, once.
    expect([origin.routesAsked.length, other.routesAsked.length]).toEqual([2, 3])
  })
})

test('a token of a node that has expired is refused there, and readers here are told to try again', async () => {
  let isExpired = false
  const strict = await startMediaNode({ expired: () => isExpired })
  toClose.push(strict)
  other.route = async (path) => ({ kind: 'pull', url: strict.urlFor(path) })
  other.relays.set('ada/cam', 'strict')
  await publish(strict)
  const reader = await read(other)
  isExpired = true
  await reader.player.close()
  other.relays.set('ada/cam', 'strict again')
  expect(await refusal(other)).toContain('503 The node where it is live does not let this one read it')
})

test.each([
  ['ourselves, as at 127.0.0.1', () => other.urlFor('ada/cam'), '404 Nothing is being published to ada/cam now'],
  [
    'a server that knows no token of ours',
    () => `${origin.urlFor('ada/cam')}-of-another`,
    'asks for a user and a password',
  ],
])('where the address of its node leads to %s, it is pushed to us', async (_where, url, failure) => {
  other.relays.set('ada/cam', 'origin')
  other.route = async (path, unreachable) => {
    if (unreachable === undefined) return { kind: 'pull', url: url() }
    void origin.pushes.start('1', path, other.urlFor(path))
    return { kind: 'push' }
  }
  const publisher = await publish()
  const reader = await read(other)
  publisher.write(0, createPacketMaker(96, 7)('key'))
  await until(async () => reader.packets.length === 1)
  expect(other.routesAsked).toEqual([undefined, expect.stringContaining(failure)])
})

describe('where the node of a stream cannot be reached', () => {
  beforeEach(() => {
    other.relays.set('ada/cam', 'origin')
    let pushes = 0
    other.route = async (path, failure) => {
      if (failure === undefined) return { kind: 'pull', url: `rtsp://127.0.0.1:1/${path}` }
      void origin.pushes.start(String(++pushes), path, other.urlFor(path)).catch(() => {})
      return { kind: 'push' }
    }
  })

  test('it is pushed to us, and the same bit by bit', async () => {
    await expectSame(await publish())
    expect(other.routesAsked).toEqual([undefined, 'Connection refused.'])
    expect(other.hub.list()).toMatchObject([{ path: 'ada/cam', isRelay: true }])
    expect(other.events).toEqual([])
  })

  test('the push ends ten seconds after the last reader, and is asked for again', async () => {
    await publish()
    const first = await read(other)
    await first.player.close()
    await until(async () => other.hub.list().length === 0 && readersOf(origin) === 0)
    await read(other)
    expect(readersOf(origin)).toBe(1)
  })

  test('it ends here when it ends there, when its node goes, and when it is taken back', async () => {
    const publisher = await publish()
    const first = await read(other)
    await publisher.close()
    await until(async () => first.ends.length === 1)
    await publish()
    const second = await read(other)
    origin.pushes.end('2')
    await until(async () => second.ends.length === 1)
    const third = await read(other)
    await origin.close()
    await until(async () => third.ends.length === 1)
  })

  test('one that nobody has asked for is ended at once, and takes no path from its publisher', async () => {
    await publish(origin, 'ada/other')
    const pushed = origin.pushes.start('unasked', 'ada/other', other.urlFor('ada/other'))
    await expect(pushed).rejects.toThrow('No answer')
    await until(async () => other.hub.list().length === 0 && readersOf(origin, 'ada/other') === 0)
    await publish(other, 'ada/other')
    await expect(origin.pushes.start('late', 'ada/other', other.urlFor('ada/other'))).rejects.toThrow(
      '409 Somebody else is publishing to ada/other',
    )
    expect(other.hub.list()).toMatchObject([{ path: 'ada/other', isRelay: false, isLive: true }])
  })

  test.each([
    ['nothing comes', async (): Promise<RelayRoute> => ({ kind: 'push' })],
    ['nobody says from where', () => new Promise<RelayRoute>(() => {})],
  ])('who waits is told after a while when %s', async (_what, route) => {
    other.route = route
    const waiting = Promise.all([refusal(other), refusal(other)])
    expect(await waiting).toEqual(Array(2).fill(expect.stringContaining('503 It is live on another node')))
  })
})
