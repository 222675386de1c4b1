import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { announcement, createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { connectRtsp } from '../../../../test/support/rtsp-client.ts'
import {
  asAda,
  expectOk,
  openUdpPorts,
  serverPortsOf,
  sessionOf,
  startPublisher,
} from '../../../../test/support/rtsp-roles.ts'
import { startRtspServer, type TestRtspServer } from '../../../../test/support/rtsp-server.ts'
import { type RtspServerOptions } from './server.ts'

let server: TestRtspServer
afterEach(() => server.close())

async function start(options: Partial<RtspServerOptions> = {}): Promise<number> {
  server = await startRtspServer(options)
  return server.port
}

describe('transport', () => {
  beforeEach(async () => void (await start()))

  test('by UDP, both ways: disorder is mended, and the reader gets a goodbye', async () => {
    const [from, to] = [await openUdpPorts(), await openUdpPorts()]
    const publisher = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam`
    await publisher.request('ANNOUNCE', url, asAda, announcement)
    const setUp = await publisher.request('SETUP', `${url}/streamid=0`, {
      Transport: `RTP/AVP/UDP;unicast;${from.clientPort};mode=record`,
    })
    await publisher.request('RECORD', url, { Session: sessionOf(setUp) })
    const [rtpPort] = serverPortsOf(setUp)

    const reader = await connectRtsp(server.port)
    await reader.request('DESCRIBE', url, asAda)
    const readerSetUp = await reader.request('SETUP', `${url}/trackID=0`, {
      Transport: `RTP/AVP;unicast;${to.clientPort}`,
    })
    await reader.request('PLAY', url, { Session: sessionOf(readerSetUp) })

    const received: Buffer[] = []
    const all = new Promise<void>((resolve) => {
      to.rtp.on('message', (data) => received.push(data) === 4 && resolve())
    })
    const make = createFrameMaker()
    const sent = [make('key'), make('delta'), make('delta'), make('delta')]
    for (const index of [0, 2, 3, 1]) from.rtp.send(sent[index]!, rtpPort, '127.0.0.1')
    await all
    expect(received).toEqual(sent)

    const goodbye = once(to.rtcp, 'message') as Promise<[Buffer]>
    await publisher.request('TEARDOWN', url, { Session: sessionOf(setUp) })
    const [bye] = await goodbye
    expect(bye[9]).toBe(203)
    await reader.closed
    from.close()
    to.close()
  })

  test('a reader to whom no UDP gets through may begin anew by TCP, without naming its session', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const key = createFrameMaker()('key')
    publisher.sendVideo(key)
    const to = await openUdpPorts()
    const client = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam`
    await client.request('DESCRIBE', url, asAda)
    const byUdp = await client.request('SETUP', `${url}/trackID=0`, { Transport: `RTP/AVP;unicast;${to.clientPort}` })
    await client.request('PLAY', url, { Session: sessionOf(byUdp) })
    await client.request('PAUSE', url, { Session: sessionOf(byUdp) })
    const byTcp = await client.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })
    expect(byTcp.status).toBe(200)
    expect(sessionOf(byTcp)).not.toBe(sessionOf(byUdp))
    await client.request('PLAY', url, { Session: sessionOf(byTcp) })
    expect((await client.frames(1))[0]!.data).toEqual(key)
    to.close()
  })
})

describe('timeouts and limits', () => {
  test.each(['before', 'after'])(
    'a publisher by UDP outlives a server that stands still just %s it looks',
    async (when) => {
      let nowMs = 0
      const port = await start({ timeouts: { publisherMs: 300 }, now: () => nowMs })
      const ports = await openUdpPorts()
      const client = await connectRtsp(port)
      const url = `rtsp://127.0.0.1:${port}/ada/cam`
      expectOk(await client.request('ANNOUNCE', url, { ...asAda, 'Content-Type': 'application/sdp' }, announcement))
      const transport = { Transport: `RTP/AVP;unicast;${ports.clientPort};mode=record` }
      const setUp = await client.request('SETUP', `${url}/streamid=0`, transport)
      expectOk(await client.request('RECORD', url, { Session: sessionOf(setUp) }))
      const make = createFrameMaker()
      const send = () =>
        new Promise((resolve) => ports.rtp.send(make('key'), serverPortsOf(setUp)[0], '127.0.0.1', resolve))
      for (let round = 0; round < 4; round++) {
        // The server looks in an immediate: with timers due, it is queued behind this one; without, in the round that comes.
        await (when === 'before' ? new Promise(setImmediate) : new Promise((resolve) => setTimeout(resolve, 5)))
        await send()
        // Longer than it is between two looks; what the server's clock says is for it to believe.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
        nowMs += 400
      }
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect(server.hub.list()).toHaveLength(1)
      nowMs += 400
      await client.closed
      expect(server.logged.join()).toContain('no media came')
      ports.close()
    },
  )

  test('a reader by UDP lives by its receiver reports, and ends without them', async () => {
    // Many times the pause between two reports: the machine may be busy.
    const port = await start({ timeouts: { sessionMs: 1_000 } })
    await startPublisher(port, 'ada/cam')
    const ports = await openUdpPorts()
    const client = await connectRtsp(port)
    const url = `rtsp://127.0.0.1:${port}/ada/cam`
    await client.request('DESCRIBE', url, asAda)
    const setUp = await client.request('SETUP', `${url}/trackID=0`, {
      Transport: `RTP/AVP;unicast;${ports.clientPort}`,
    })
    await client.request('PLAY', url, { Session: sessionOf(setUp) })
    const [, rtcpPort] = serverPortsOf(setUp)
    const receiverReport = Buffer.from('80c9000100000001', 'hex')
    for (let i = 0; i < 8; i++) {
      ports.rtcp.send(receiverReport, rtcpPort, '127.0.0.1')
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    expect(client.socket.readyState).toBe('open')
    await client.closed
    expect(server.logged.join()).toContain('no sign of life')
    ports.close()
  })

  test('tracks by UDP are shared between accounts, and TCP is there for who has none left', async () => {
    const port = await start({ limits: { maxUdpTracks: 4, maxUdpTracksPerAccount: 2 } })
    await startPublisher(port, 'ada/cam')
    const url = `rtsp://127.0.0.1:${port}/ada/cam`
    const setUp = async (transport: string) => {
      const client = await connectRtsp(port)
      await client.request('DESCRIBE', url, asAda)
      return (await client.request('SETUP', `${url}/trackID=0`, { Transport: transport })).status
    }
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push(await setUp('RTP/AVP;unicast;client_port=9000-9001'))
    expect(statuses).toEqual([200, 200, 461])
    expect(await setUp('RTP/AVP/TCP;unicast;interleaved=0-1')).toBe(200)
  })
})
