import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import {
  type CameraHabit,
  type FakeCamera,
  redirectingTo,
  startFakeCamera,
} from '../../../../test/support/fake-camera.ts'
import { createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { until } from '../../../../test/support/until.ts'
import { buildSenderReport } from '../wire/rtcp.ts'
import { openRtspPlayer, type RtspPlayer } from './player.ts'

const toClose: { close(): Promise<unknown> | void }[] = []
afterEach(async () => {
  for (const one of toClose.splice(0).reverse()) await one.close()
})

async function aCamera(habit?: CameraHabit, options: Parameters<typeof startFakeCamera>[0] = {}): Promise<FakeCamera> {
  const camera = await startFakeCamera({ ...options, ...(habit && { habit }) })
  toClose.push(camera)
  return camera
}

async function open(url: string, dialled: string[] = []): Promise<RtspPlayer> {
  const player = await openRtspPlayer(url, {
    dial: async (hostname, port) => (
      dialled.push(`${hostname}:${port}`),
      hostname === 'camera.test' ? '127.0.0.1' : hostname
    ),
  })
  toClose.push(player)
  return player
}

/** Starts, and collects what comes. */
async function play(player: RtspPlayer) {
  const packets: Buffer[] = []
  const reports: unknown[] = []
  const ends: unknown[][] = []
  await player.start({
    packet: (_track, data) => void packets.push(Buffer.from(data)),
    report: (report) => void reports.push(report),
    end: (...end) => void ends.push(end),
  })
  const received = (count: number) => until(async () => packets.length >= count)
  return { packets, reports, ends, received }
}

/** Sends a keyframe as soon as it plays, on `channel`. */
const playsOn =
  (channel: number): CameraHabit =>
  ({ method }, peer) => {
    if (method !== 'PLAY') return false
    peer.answer(200)
    peer.sendFrame(channel, createFrameMaker()('key'))
    return true
  }

/** The first that answers does. */
const first =
  (...habits: CameraHabit[]): CameraHabit =>
  (request, peer) =>
    habits.some((habit) => habit(request, peer))

const on =
  (
    method: string,
    does: (request: Parameters<CameraHabit>[0], peer: Parameters<CameraHabit>[1]) => void,
  ): CameraHabit =>
  (request, peer) => {
    if (request.method === method) does(request, peer)
    return request.method === method
  }

test('exactly the address that the dial answers is dialled; the host’s name stands in requests, the password nowhere', async () => {
  const camera = await aCamera(playsOn(0))
  const dialled: string[] = []
  const { received } = await play(await open(`rtsp://ada:secret@camera.test:${camera.port}/x`, dialled))
  await received(1)
  expect(dialled).toEqual([`camera.test:${camera.port}`])
  expect(camera.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `DESCRIBE rtsp://camera.test:${camera.port}/x`,
    `SETUP rtsp://camera.test:${camera.port}/x/trackID=0`,
    `PLAY rtsp://camera.test:${camera.port}/x`,
  ])
  expect(JSON.stringify(camera.requests.map(({ headers }) => [...headers]))).not.toContain('secret')
})

test('what the dial refuses is not dialled, and its sentence is passed on', async () => {
  const dial = async () => Promise.reject(new Error('camera.test may not be called.'))
  await expect(openRtspPlayer('rtsp://camera.test/x', { dial })).rejects.toThrow('camera.test may not be called.')
})

const asksForDigest: CameraHabit = ({ headers }, peer) => {
  if (headers.get('authorization')?.includes('nonce="new"')) return false
  peer.answer(401, ['WWW-Authenticate: Digest realm="r", nonce="new", stale=true'])
  return true
}

test('a camera that asks for a user and password gets them, and again when its nonce is old', async () => {
  const camera = await aCamera(first(asksForDigest, playsOn(0)))
  const { received } = await play(await open(camera.url.replace('//', '//ada:secret@')))
  await received(1)
  expect(camera.methods()).toEqual(['DESCRIBE', 'DESCRIBE', 'SETUP', 'PLAY'])
})

test.each([
  ['//ada:wrong@', 'The camera refuses this user and password.', 2],
  ['//', 'The camera asks for a user and a password.', 1],
])('a user who is %s is reported in a sentence, after few tries', async (userinfo, sentence, tries) => {
  const camera = await aCamera(
    (_request, peer) => (peer.answer(401, ['WWW-Authenticate: Digest realm="r", nonce="n"']), true),
  )
  await expect(open(camera.url.replace('//', userinfo))).rejects.toThrow(sentence)
  expect(camera.requests).toHaveLength(tries)
})

test('a camera that counts channels otherwise has its way, and gets reports of what was received', async () => {
  const camera = await aCamera(
    first(
      on('SETUP', (_request, peer) => peer.answer(200, ['Session: 1', 'Transport: RTP/AVP/TCP;interleaved=8-9'])),
      playsOn(8),
    ),
  )
  const { packets, reports, received } = await play(await open(camera.url))
  const fields = { ssrc: 1, timestamp: 9000, wallClockMs: 1_700_000_000_000, packets: 1, payloadBytes: 1 }
  camera.peer().sendFrame(9, buildSenderReport(fields))
  camera.peer().sendFrame(0, createFrameMaker()('key'))
  await received(1)
  await until(async () => reports.length === 1)
  expect([packets.length, reports]).toEqual([1, [{ track: 0, timestamp: 9000, wallClockMs: 1_700_000_000_000 }]])
})

test.each<[name: string, habit: CameraHabit]>([
  [
    'sends before it answers PLAY',
    on('PLAY', (_request, peer) => (peer.sendFrame(0, createFrameMaker()('key')), peer.answer(200))),
  ],
  ['counts wrongly', on('SETUP', (_request, peer) => peer.write('RTSP/1.0 200 OK\r\nCSeq: 77\r\nSession: 1\r\n\r\n'))],
  [
    'does not count at all',
    on('DESCRIBE', (_request, peer) => {
      const sdp = 'v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n'
      peer.write(`\r\n\r\nRTSP/1.0 200 OK\r\nContent-Length: ${sdp.length}\r\nno header\r\n\r\n${sdp}trailing\r\n\r\n`)
    }),
  ],
  [
    'asks questions of its own',
    on('SETUP', (_request, peer) => {
      peer.write(
        'OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\nANNOUNCE * RTSP/1.0\r\nCSeq: 8\r\n\r\nX * RTSP/1.0\r\nCSeq: 9\r\n\r\n',
      )
      peer.answer(200, ['Session: 1;timeout=30'])
    }),
  ],
])('a camera that %s is understood', async (_name, habit) => {
  const camera = await aCamera(first(habit, playsOn(0)))
  const { received } = await play(await open(camera.url))
  await received(1)
})

/** Sends by UDP what the client asked for by UDP. */
async function aUdpCamera(tcp: CameraHabit): Promise<{ camera: FakeCamera; heard: Buffer[] }> {
  const [rtp, rtcp] = [createSocket('udp4'), createSocket('udp4')]
  for (const socket of [rtp, rtcp]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    toClose.push({ close: () => void socket.close() })
  }
  const heard: Buffer[] = []
  rtcp.on('message', (data) => heard.push(data))
  let clientPort = 0
  const byUdp: CameraHabit = ({ method, headers }, peer) => {
    const ports = /client_port=(\d+)-(\d+)/.exec(headers.get('transport') ?? '')
    if (method === 'SETUP' && ports) {
      clientPort = Number(ports[1])
      const answer = `Transport: RTP/AVP;unicast;${ports[0]};server_port=${rtp.address().port}-${rtcp.address().port}`
      peer.answer(200, ['Session: 2', answer])
      return true
    }
    if (method !== 'PLAY' || !clientPort) return false
    peer.answer(200)
    const makeFrame = createFrameMaker()
    const [one, two, three] = [makeFrame('key'), makeFrame('delta'), makeFrame('delta')]
    for (const packet of [one, three, two]) rtp.send(packet, clientPort, '127.0.0.1')
    return true
  }
  return { camera: await aCamera(first(byUdp, tcp)), heard }
}

test.each<[name: string, tcp: CameraHabit]>([
  ['refuses TCP', on('SETUP', (_request, peer) => peer.answer(461))],
  ['promises TCP and sends nothing', () => false],
])('a camera that %s is read by UDP, in order, and gets signs of life', async (_name, tcp) => {
  const { camera, heard } = await aUdpCamera(tcp)
  const { packets, received } = await play(await open(camera.url))
  await received(3)
  const numbers = packets.map((packet) => packet.readUInt16BE(2))
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
  await until(async () => heard.length > 0)
  expect(heard[0]![1]).toBe(201)
})

test('a camera that refuses both says so', async () => {
  const camera = await aCamera(on('SETUP', (_request, peer) => peer.answer(461)))
  const player = await open(camera.url)
  await expect(play(player)).rejects.toMatchObject({ status: 461 })
})

test.each([
  ['knows GET_PARAMETER', 'OPTIONS, GET_PARAMETER', ['OPTIONS', 'GET_PARAMETER']],
  ['does not', 'OPTIONS, PLAY', ['OPTIONS', 'OPTIONS']],
])('a camera that %s is kept alive by what it knows', async (_name, methods, asked) => {
  const camera = await aCamera(
    first(
      on('SETUP', (_request, peer) => peer.answer(200, ['Session: 5;timeout=2'])),
      on('OPTIONS', (_request, peer) => peer.answer(200, [`Public: ${methods}`])),
      playsOn(0),
    ),
  )
  await play(await open(camera.url))
  await until(async () => camera.requests.length >= 5)
  const kept = camera.requests.slice(3, 5)
  expect(kept.map(({ method }) => method)).toEqual(asked)
  expect(kept.map(({ headers }) => headers.get('session'))).toEqual(['5', '5'])
})

test('whoever leaves says goodbye', async () => {
  const camera = await aCamera(playsOn(0))
  const player = await open(camera.url)
  await play(player)
  await player.close()
  await until(async () => camera.methods().at(-1) === 'TEARDOWN')
})

test('each redirect is dialled only after the dial was asked anew, and the password stays', async () => {
  const last = await aCamera(first(asksForDigest, playsOn(0)))
  const middle = await aCamera(redirectingTo(() => `rtsp://127.0.0.1:${last.port}/last`))
  const start = await aCamera(redirectingTo(() => `rtsp://camera.test:${middle.port}/middle`))
  const dialled: string[] = []
  await expect(open(`rtsp://ada:secret@camera.test:${start.port}/x`, dialled)).rejects.toThrow('asks for a user')
  expect(dialled).toEqual([`camera.test:${start.port}`, `camera.test:${middle.port}`, `127.0.0.1:${last.port}`])
  expect(last.requests.some(({ headers }) => headers.has('authorization'))).toBe(false)
})

test('a camera that sends its client elsewhere while it plays says where', async () => {
  const camera = await aCamera(playsOn(0))
  const { ends } = await play(await open(camera.url))
  camera.peer().write('REDIRECT * RTSP/1.0\r\nCSeq: 1\r\nLocation: rtsp://other:1/y\r\n\r\n')
  await until(async () => ends.length > 0)
  expect(ends).toEqual([
    ['the server sends us elsewhere', expect.objectContaining({ hostname: 'other', port: 1 }) as unknown],
  ])
})

test.each<[name: string, habit: CameraHabit, sentence: RegExp]>([
  ['answers nonsense', (_request, peer) => (peer.write('HTTP/1.1 200 OK\r\n'.repeat(2_000)), true), /No answer/],
  ['hangs up', (_request, peer) => (peer.socket.destroy(), true), /No answer/],
  ['sends a line without end', (_request, peer) => (peer.write('R'.repeat(100_000)), true), /No answer/],
  ['describes without end', (_request, peer) => (peer.answer(200, ['Content-Length: 99999999']), true), /No answer/],
  ['refuses', (_request, peer) => (peer.answer(404), true), /^The server answers DESCRIBE with 404 No\.$/],
])('a camera that %s is reported in a sentence', async (_name, habit, sentence) => {
  const camera = await aCamera(habit)
  await expect(open(camera.url)).rejects.toThrow(sentence)
})

test('a certificate that nobody vouches for is refused, with what to do about it', async () => {
  const camera = await aCamera(undefined, { tls: createSelfSigned() })
  await expect(open(camera.url)).rejects.toThrow(/certificate is not trusted.*NODE_EXTRA_CA_CERTS/)
  expect(camera.requests).toEqual([])
})

test('whoever gives up while it is opened is let go at once', async () => {
  const camera = await aCamera(() => true)
  const leaving = new AbortController()
  const opening = openRtspPlayer(camera.url, { dial: async (hostname) => hostname, signal: leaving.signal })
  await until(async () => camera.requests.length > 0)
  leaving.abort()
  await expect(opening).rejects.toThrow('No answer')
})
