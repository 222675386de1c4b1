import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { connectRtsp } from '../../../../test/support/rtsp-client.ts'
import {
  asAda,
  basic,
  expectOk,
  prepareReader,
  sessionOf,
  startPublisher,
  startReader,
} from '../../../../test/support/rtsp-roles.ts'
import {
  startRtspServer,
  type TestRtspServer,
  type TestRtspServerOptions,
} from '../../../../test/support/rtsp-server.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { createConnectionAdmission } from '../../connection-admission.ts'
import { ROLE_LOG } from '../../protocol-server.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'

let server: TestRtspServer
afterEach(() => server.close())

async function start(options: TestRtspServerOptions): Promise<number> {
  server = await startRtspServer(options)
  return server.port
}

describe('one connection', () => {
  test('a connection that says nothing is closed', async () => {
    const client = await connectRtsp(await start({ admission: createConnectionAdmission({ setupMs: 60 }) }))
    await client.closed
  })

  test('who may read a camera has the time that calling it takes', async () => {
    const admission = createConnectionAdmission({ setupMs: 500 })
    const port = await start({ admission, wake: () => new Promise((resolve) => setTimeout(resolve, 1_000)) })
    await startPublisher(port, 'ada/cam')
    const client = await connectRtsp(port)
    expectOk(await client.request('DESCRIBE', `rtsp://127.0.0.1:${port}/ada/cam`, asAda))
  })

  test('asking what there is, and asking wrongly, does not make a connection stay', async () => {
    const client = await connectRtsp(await start({ admission: createConnectionAdmission({ setupMs: 150 }) }))
    const ask = setInterval(() => {
      client.request('OPTIONS', '*').catch(() => {})
      client.request('DESCRIBE', 'rtsp://127.0.0.1/ada/cam').catch(() => {})
    }, 20)
    await client.closed
    clearInterval(ask)
  })

  test('a request that trickles in is given up, however often a byte comes', async () => {
    const client = await connectRtsp(await start({ timeouts: { requestMs: 150 } }))
    expect((await client.request('OPTIONS', '*')).status).toBe(200)
    client.socket.write('OPTIONS * RTSP/1.0\r\n')
    const trickle = setInterval(() => client.socket.write('X: y\r\n'), 20)
    expect((await client.response()).status).toBe(408)
    await client.closed
    clearInterval(trickle)
  })

  test('an interleaved frame that never ends is given up too', async () => {
    const port = await start({ timeouts: { requestMs: 100 } })
    const publisher = await startPublisher(port, 'ada/cam')
    publisher.client.socket.write(Buffer.from([0x24, 0, 0xff, 0xff, 1, 2, 3]))
    await publisher.client.closed
    expect(server.hub.list()).toEqual([])
  })

  test('a connection without a session does not stay for ever', async () => {
    const port = await start({ timeouts: { sessionMs: 300 } })
    await startPublisher(port, 'ada/cam')
    const client = await connectRtsp(port)
    await client.request('DESCRIBE', `rtsp://127.0.0.1:${port}/ada/cam`, asAda)
    await client.closed
  })

  test.each([
    { what: 'asks', methods: [] },
    { what: 'sets up', methods: ['SETUP'] },
    { what: 'plays and sets up anew', methods: ['SETUP', 'PLAY', 'SETUP'] },
    { what: 'has torn down', methods: ['SETUP', 'PLAY', 'TEARDOWN'] },
  ])('who $what and plays nothing does not stay, whatever it says', async ({ methods }) => {
    const port = await start({ timeouts: { startMs: 1_000 } })
    await startPublisher(port, 'ada/cam')
    const client = await connectRtsp(port)
    const url = `rtsp://127.0.0.1:${port}/ada/cam`
    expectOk(await client.request('DESCRIBE', url, asAda))
    for (const method of methods) {
      const transport = { ...asAda, Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }
      expectOk(await client.request(method, method === 'SETUP' ? `${url}/trackID=0` : url, transport))
    }
    const ask = setInterval(() => void client.request('DESCRIBE', url, asAda).catch(() => {}), 20)
    await client.closed
    clearInterval(ask)
    expect(server.logged.join()).toContain('nothing was published or played')
  })

  test('who played and paused stays for as long as it gives a sign', async () => {
    const port = await start({ timeouts: { startMs: 500 } })
    const publisher = await startPublisher(port, 'ada/cam')
    const { client, url, session, play } = await startReader(port, 'ada/cam')
    expectOk(await client.request('PAUSE', url, session))
    await new Promise((resolve) => setTimeout(resolve, 800))
    expectOk(await play())
    publisher.sendVideo(createFrameMaker()('key'))
    await client.frames(1)
  })

  test('a publisher that begins and pauses again and again without media does not stay, and is logged once', async () => {
    const port = await start({ timeouts: { publisherMs: 300 } })
    const { client, url, session } = await startPublisher(port, 'ada/cam')
    const ask = setInterval(() => {
      for (const method of ['RECORD', 'PAUSE', 'RECORD']) client.request(method, url, session).catch(() => {})
    }, 20)
    await client.closed
    clearInterval(ask)
    expect(server.logged.join()).toContain('no media came')
    expect(server.logged.filter((line) => line.includes(ROLE_LOG.publish.began))).toHaveLength(1)
  })

  test('a client that asks and asks but takes no answers is closed', async () => {
    const port = await start({ limits: { maxQueuedAnswerBytes: 1000 } })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.pause()
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const questions = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'.repeat(2000)
    const ask = () => void socket.write(questions, (error) => error ?? ask())
    ask()
    await closed
  })

  test('before anything is accepted only so much is read', async () => {
    const client = await connectRtsp(await start({}))
    expect((await client.request('OPTIONS', '*')).status).toBe(200)
    client.socket.write(Buffer.alloc(300_000, Buffer.of(0x24, 0, 0, 0)))
    await client.closed
    expect(server.logged.join()).toContain('nothing granted')
  })
})

describe('many connections', () => {
  test('a key that only asks keeps nobody out, by RTSP and at one address', async () => {
    const port = await start({ admission: createConnectionAdmission({ maxPerAddress: 4 }) })
    await startPublisher(port, 'ada/cam')
    await startPublisher(port, 'eve/cam', basic('eve', 'evil'))
    const asking = []
    for (let i = 0; i < 6; i++) {
      const client = await connectRtsp(port)
      expectOk(await client.request('DESCRIBE', `rtsp://127.0.0.1:${port}/ada/cam`, asAda))
      asking.push(client)
    }
    await Promise.all(asking.slice(0, 4).map(({ closed }) => closed))
    await startReader(port, 'eve/cam', basic('eve', 'evil'))
    await asking[4]!.closed
    expect((await asking[5]!.request('OPTIONS', '*')).status).toBe(200)
  })

  test('one address has so many connections and no more', async () => {
    const port = await start({ admission: createConnectionAdmission({ maxPerAddress: 2, reserved: 0 }) })
    const publisher = await startPublisher(port, 'ada/cam')
    const reader = await startReader(port, 'ada/cam')
    await (
      await connectRtsp(port)
    ).closed
    publisher.sendVideo(createFrameMaker()('key'))
    await reader.client.frames(1)
    reader.client.close()
    // The place is free once the server has seen the connection end.
    for (;;) {
      const client = await connectRtsp(port)
      const answer = await client.request('OPTIONS', '*').catch(() => undefined)
      if (answer) break
    }
  })

  test('idle connections make room for one that means it', async () => {
    const port = await start({ admission: createConnectionAdmission({ maxPendingPerAddress: 2 }) })
    const idle = [await connectRtsp(port), await connectRtsp(port)]
    await startPublisher(port, 'ada/cam')
    await idle[0]!.closed
    expect((await idle[1]!.request('OPTIONS', '*')).status).toBe(200)
  })

  test('all together have so many connections and no more', async () => {
    const port = await start({ admission: createConnectionAdmission({ maxConnections: 3, reserved: 0 }) })
    for (let i = 0; i < 3; i++) await startPublisher(port, `ada/cam${i}`)
    await (
      await connectRtsp(port)
    ).closed
  })

  test('a thousand silent connections do not disturb a stream', async () => {
    const port = await start({
      admission: createConnectionAdmission({ maxPerAddress: 2000, maxPendingPerAddress: 2000 }),
    })
    const publisher = await startPublisher(port, 'ada/cam')
    const reader = await startReader(port, 'ada/cam')
    const silent = await Promise.all(Array.from({ length: 1000 }, () => connectRtsp(port)))
    const make = createFrameMaker()
    for (let i = 0; i < 20; i++) {
      publisher.sendVideo(make('key'))
      await reader.client.frames(1)
    }
    for (const client of silent) client.close()
  })
})

describe('publishers and readers', () => {
  test('a publisher that announces and sends nothing is ended', async () => {
    const port = await start({ timeouts: { publisherMs: 300 } })
    const publisher = await startPublisher(port, 'ada/cam')
    await publisher.client.closed
    expect(server.hub.list()).toEqual([])
  })

  test('a reader by TCP needs no sign of life, nor does its publisher need requests', async () => {
    // Many times the pause between two pictures: the machine may be busy.
    const port = await start({ timeouts: { sessionMs: 500 } })
    const publisher = await startPublisher(port, 'ada/cam')
    const reader = await startReader(port, 'ada/cam')
    const make = createFrameMaker()
    for (let i = 0; i < 30; i++) {
      publisher.sendVideo(make('key'))
      await reader.client.frames(1)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })

  test('a reader that does not read is cut off, and the others lose nothing', async () => {
    const port = await start({ limits: { maxQueuedBytes: 256 * 1024 } })
    const publisher = await startPublisher(port, 'ada/cam')
    const make = createFrameMaker({ payloadBytes: 50_000 })
    publisher.sendVideo(make('key'))
    const [slow, good] = [await startReader(port, 'ada/cam'), await startReader(port, 'ada/cam')]
    await good.client.frames(1)
    slow.client.socket.pause()
    // First the buffers of the kernel have to be full, and how large they are differs.
    while (server.hub.list()[0]!.readers === 2) {
      const frame = make('delta')
      publisher.sendVideo(frame)
      expect((await good.client.frames(1))[0]!.data.equals(frame)).toBe(true)
    }
    expect(server.logged.filter((line) => line.includes('too slow'))).toHaveLength(1)
    slow.client.socket.resume()
    await slow.client.closed
  })

  test('a reader for whom bytes wait too long is cut off, even when nothing more comes', async () => {
    const port = await start({ timeouts: { maxQueuedMs: 100 }, limits: { maxQueuedBytes: 2 ** 30 } })
    const publisher = await startPublisher(port, 'ada/cam')
    const make = createFrameMaker({ payloadBytes: 50_000 })
    publisher.sendVideo(make('key'))
    const slow = await startReader(port, 'ada/cam')
    await slow.client.frames(1)
    slow.client.socket.pause()
    // First the buffers of the kernel have to be full, and how large they are differs.
    await server.until((hub) => {
      publisher.sendVideo(make('delta'))
      return hub.list()[0]!.readers === 0
    })
    expect(server.logged.join()).toContain('too-old')
  })

  test('readers who take nothing are ended when too much waits for them together', async () => {
    // More than one alone ever has waiting, and less than all together have, whatever the kernel holds of it.
    const waitingBytes = createWaitingBytes({ maxSlowBytes: 16 * 2 ** 20, maxBytes: 16 * 2 ** 20, slowAfterMs: 0 })
    const port = await start({ waitingBytes, timeouts: { publisherMs: 60_000 } })
    const publisher = await startPublisher(port, 'ada/cam')
    const make = createFrameMaker({ payloadBytes: 60_000 })
    publisher.sendVideo(make('key'))
    for (let i = 0; i < 200; i++) publisher.sendVideo(make('delta'))
    await server.until((hub) => hub.list()[0]?.isLive === true)
    const readers = []
    for (let i = 0; i < 12; i++) {
      const reader = await prepareReader(port, 'ada/cam')
      reader.client.socket.pause()
      void reader.play().catch(() => {})
      readers.push(reader)
    }
    // Each began with twelve megabytes, of which the kernel holds some.
    await server.until(
      (hub) => server.logged.some((line) => line.includes('others-wait-too')) && hub.list()[0]!.readers > 0,
    )
    for (const { client } of readers) client.close()
  })
})

test('with a certificate it speaks RTSPS, and keeps media off UDP', async () => {
  const certificate = createSelfSigned()
  const port = await start({ certificate, admission: createConnectionAdmission({ maxPerAddress: 2, reserved: 0 }) })
  const connectClient = () =>
    connectRtsp(port, connectTls({ port, host: '127.0.0.1', ca: certificate.cert, servername: 'localhost' }))
  const client = await connectClient()
  const url = `rtsps://localhost:${port}/open/cam`
  const sdp = 'v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:streamid=0\r\n'
  expect((await client.request('ANNOUNCE', url, {}, sdp)).status).toBe(200)
  const byUdp = await client.request('SETUP', `${url}/streamid=0`, {
    Transport: 'RTP/AVP;unicast;client_port=5000-5001',
  })
  expect(byUdp.status).toBe(461)
  const byTcp = await client.request('SETUP', `${url}/streamid=0`, { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' })
  expect((await client.request('RECORD', url, { Session: sessionOf(byTcp) })).status).toBe(200)
  const reader = await connectClient()
  await reader.request('DESCRIBE', url)
  const setUp = await reader.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP' })
  await reader.request('PLAY', url, { Session: sessionOf(setUp) })
  const third = connectTls({ port, host: '127.0.0.1', ca: certificate.cert, servername: 'localhost' })
  const [error] = (await once(third, 'error')) as [Error]
  expect(error).toBeInstanceOf(Error)
  const key = createFrameMaker()('key')
  client.sendFrame(0, key)
  expect((await reader.frames(1))[0]!.data).toEqual(key)
})
