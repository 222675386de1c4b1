import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { createPacketMaker, threeTracks } from '../../../test/builders/three-tracks.ts'
import { type CameraHabit, cameraSdp, redirectingTo, startFakeCamera } from '../../../test/support/fake-camera.ts'
import { startMediaNode, type TestMediaNode } from '../../../test/support/media-node.ts'
import { until } from '../../../test/support/until.ts'
import { OWN_SERVER } from '../rtsp/client/connection.ts'
import { openRtspPlayer } from '../rtsp/client/player.ts'
import { openRtspPublisher } from '../rtsp/client/publisher.ts'
import { createHub } from '../hub.ts'
import { readRelay } from './relay-reading.ts'

let node: TestMediaNode
const toClose: { close(): unknown }[] = []
beforeEach(async () => {
  node = await startMediaNode({ haste: 12 })
  toClose.push(node)
})
afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close()
})

async function originWith(habit: CameraHabit, sdp = cameraSdp): Promise<string> {
  const origin = await startFakeCamera({ habit, sdp })
  toClose.push(origin)
  return origin.url
}

/** A read of the path whose node is hostile fails, while another path's stream goes on as if nothing were. */
async function expectOnlyItsPathHurt(url: string, sentence: string): Promise<void> {
  node.route = async (_path, failure) =>
    failure === undefined ? { kind: 'pull', url } : { kind: 'none', sentence: `The node cannot be reached: ${failure}` }
  node.relays.set('ada/hostile', 'elsewhere')
  const urlOf = (path: string) => `rtsp://ada:secret@127.0.0.1:${node.port}/${path}`
  const publisher = await openRtspPublisher(urlOf('ada/cam'), threeTracks)
  await publisher.record()
  const player = await openRtspPlayer(urlOf('ada/cam'), OWN_SERVER)
  toClose.push(publisher, player)
  let received = 0
  await player.start({ packet: () => void received++, report: () => {}, end: () => expect.unreachable() })
  const makePacket = createPacketMaker(96, 7)
  publisher.write(0, makePacket('key'))
  let sent = 1
  const pace = setInterval(() => (publisher.write(0, makePacket()), sent++), 5)
  try {
    await expect(openRtspPlayer(urlOf('ada/hostile'), OWN_SERVER)).rejects.toThrow(sentence)
  } finally {
    clearInterval(pace)
  }
  await until(async () => received === sent)
  expect(node.hub.list().map(({ path }) => path)).toEqual(['ada/cam'])
}

test.each([
  {
    name: 'garbage',
    habit: ((_request, peer) => (peer.write('\u0000garbage'.repeat(10_000)), true)) satisfies CameraHabit,
    sentence: '503 The node cannot be reached: No answer:',
  },
  { name: 'silence', habit: () => true, sentence: '503 It is live on another node, which cannot be reached now' },
  {
    name: 'a description that is larger than it may be',
    habit: (({ method }, peer) => {
      if (method !== 'DESCRIBE') return false
      peer.answer(200, ['Content-Type: application/sdp'], `${cameraSdp}${'a=x\r\n'.repeat(20_000)}`)
      return true
    }) satisfies CameraHabit,
    sentence: '503 The node cannot be reached: No answer:',
  },
  {
    name: 'a description that never ends',
    habit: (({ method }, peer) => {
      if (method !== 'DESCRIBE') return false
      peer.write('RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Type: application/sdp\r\nContent-Length: 60000\r\n\r\nv=0\r\n')
      const drip = setInterval(() => peer.write('a=x\r\n'), 20)
      peer.socket.once('close', () => clearInterval(drip))
      return true
    }) satisfies CameraHabit,
    sentence: '503 It is live on another node, which cannot be reached now',
  },
  {
    name: 'a redirection to an address of its choice',
    habit: redirectingTo(() => 'rtsp://127.0.0.1:1/secret'),
    sentence: '503 The node cannot be reached: A node does not redirect to another address.',
  },
  {
    name: 'a refusal with words of its own',
    habit: (({ method }, peer) => (peer.answer(method === 'DESCRIBE' ? 451 : 200), true)) satisfies CameraHabit,
    sentence: '503 The node where it is live does not let this one read it',
  },
  {
    name: 'an agreement to every track and no packets of any',
    habit: (({ method }, peer) => (method === 'SETUP' ? (peer.socket.destroy(), true) : false)) satisfies CameraHabit,
    sentence: '503 It is live on another node, which cannot be reached now',
  },
])('$name hurts only that path', async ({ habit, sentence }) => {
  await expectOnlyItsPathHurt(await originWith(habit), sentence)
})

test('packets that are none, of tracks that are none, and of other formats are dropped', async () => {
  const makeFrame = createFrameMaker()
  const good = [makeFrame('key'), makeFrame('delta')]
  const url = await originWith(({ method }, peer) => {
    if (method !== 'PLAY') return false
    peer.answer(200)
    peer.sendFrame(0, good[0]!)
    peer.sendFrame(0, Buffer.alloc(3))
    peer.sendFrame(200, good[1]!)
    peer.sendFrame(0, Buffer.concat([Buffer.from([0x80, 8]), good[1]!.subarray(2)]))
    peer.sendFrame(1, Buffer.alloc(40, 0xff))
    peer.sendFrame(0, good[1]!)
    return true
  })
  node.route = async () => ({ kind: 'pull', url })
  node.relays.set('ada/hostile', 'elsewhere')
  const player = await openRtspPlayer(`rtsp://ada:secret@127.0.0.1:${node.port}/ada/hostile`, OWN_SERVER)
  toClose.push(player)
  const received: Buffer[] = []
  await player.start({
    packet: (_track, data) => void received.push(Buffer.from(data)),
    report: () => {},
    end: () => {},
  })
  await until(async () => received.length === 2)
  expect(received).toEqual(good)
})

test('a node that falls silent, as one whose power is cut, is left', async () => {
  const makeFrame = createFrameMaker()
  const url = await originWith(({ method }, peer) => {
    if (method !== 'PLAY') return false
    peer.answer(200)
    peer.sendFrame(0, makeFrame('key'))
    return true
  })
  const relayed: string[] = []
  const hub = createHub({
    authorize: () => expect.unreachable(),
    onEvent: () => expect.unreachable(),
    onRelay: ({ type }) => void relayed.push(type),
  })
  const { signal } = new AbortController()
  const end = await readRelay({ url, take: () => hub.relay('ada/cam'), silenceMs: 200, signal })
  expect(end).toEqual({ kind: 'ended', sentence: 'Nothing has come for 0.2 s.' })
  expect([relayed, hub.list()]).toEqual([['live', 'gone'], []])
})
