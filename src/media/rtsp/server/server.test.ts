import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { announcement, createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { connectRtsp } from '../../../../test/support/rtsp-client.ts'
import { asAda, prepareReader, sessionOf, startPublisher, startReader } from '../../../../test/support/rtsp-roles.ts'
import { startRtspServer, type TestRtspServer } from '../../../../test/support/rtsp-server.ts'
import { buildSenderReport, parseSenderReport } from '../wire/rtcp.ts'
import { parseSdp } from '../wire/sdp-parser.ts'

let server: TestRtspServer
beforeEach(async () => void (server = await startRtspServer()))
afterEach(() => server.close())

describe('streams', () => {
  test('what is published by TCP is read by TCP, from the last keyframe on', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const make = createFrameMaker()
    const sent = [make('key'), make('delta'), make('key'), make('delta')]
    sent.forEach(publisher.sendVideo)
    const reader = await startReader(server.port, 'ada/cam')
    const later = make('delta')
    publisher.sendVideo(later)
    const frames = await reader.client.frames(3)
    expect(frames.map(({ channel }) => channel)).toEqual([0, 0, 0])
    expect(frames.map(({ data }) => data)).toEqual([sent[2], sent[3], later])
  })

  test('the answer to PLAY says with which packet the reader begins', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const key = createFrameMaker()('key')
    publisher.sendVideo(key)
    const reader = await prepareReader(server.port, 'ada/cam')
    const playing = await reader.play()
    const seq = key.readUInt16BE(2)
    const rtptime = key.readUInt32BE(4)
    expect(playing.headers.get('rtp-info')).toBe(`url=${reader.url}/trackID=0;seq=${seq};rtptime=${rtptime}`)
  })

  test('the description has the tracks that were set up, with controls below Content-Base', async () => {
    await startPublisher(server.port, 'ada/cam')
    const client = await connectRtsp(server.port)
    const answer = await client.request('DESCRIBE', `rtsp://127.0.0.1:${server.port}/ada/cam?token=token-of-eve`)
    expect(answer.headers.get('content-base')).toBe(`rtsp://127.0.0.1:${server.port}/ada/cam/`)
    const tracks = parseSdp(answer.body.toString())
    expect(tracks.map(({ control, track }) => [control, track.codec])).toEqual([
      ['trackID=0', 'h264'],
      ['trackID=1', 'pcma'],
    ])
  })

  test('a publisher may leave tracks out', async () => {
    const client = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam`
    await client.request('ANNOUNCE', url, asAda, announcement)
    const setUp = await client.request('SETUP', `${url}/streamid=1`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })
    await client.request('RECORD', url, { Session: sessionOf(setUp) })
    const live = server.events[0]
    expect(live?.type === 'live' && live.description.tracks.map(({ codec }) => codec)).toEqual(['pcma'])
  })

  test('sender reports are passed on, with the sender that the packets name', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const wallClockMs = Date.UTC(2026, 5, 1)
    const report = buildSenderReport({ ssrc: 99, timestamp: 3000, wallClockMs, packets: 1, payloadBytes: 1 })
    publisher.client.sendFrame(1, report)
    publisher.sendVideo(createFrameMaker({ ssrc: 0xabcdef })('key'))
    await server.until((hub) => hub.list()[0]!.isLive)
    const reader = await startReader(server.port, 'ada/cam')
    const [first, second] = await reader.client.frames(2)
    expect([first!.channel, second!.channel]).toEqual([1, 0])
    expect(first!.data.readUInt32BE(4)).toBe(0xabcdef)
    expect(parseSenderReport(first!.data)).toEqual({ timestamp: 3000, wallClockMs })
  })

  test('a reader that was not told what comes first gets the packet before the report, since it counts from what comes first', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    await server.until((hub) => hub.list()[0]!.isLive)
    const reader = await startReader(server.port, 'ada/cam')
    const report = { ssrc: 99, timestamp: 90_000, wallClockMs: Date.UTC(2026, 5, 1), packets: 1, payloadBytes: 1 }
    publisher.client.sendFrame(1, buildSenderReport(report))
    publisher.sendVideo(createFrameMaker()('key'))
    expect((await reader.client.frames(2)).map(({ channel }) => channel)).toEqual([0, 1])
  })

  test('a paused reader goes on at a keyframe', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const make = createFrameMaker()
    publisher.sendVideo(make('key'))
    const reader = await startReader(server.port, 'ada/cam')
    await reader.client.frames(1)
    expect((await reader.client.request('PAUSE', reader.url, reader.session)).status).toBe(200)
    await server.until((hub) => hub.list()[0]!.readers === 0)
    const key = make('key')
    publisher.sendVideo(make('delta'))
    publisher.sendVideo(key)
    expect((await reader.play()).status).toBe(200)
    expect((await reader.client.frames(1))[0]!.data).toEqual(key)
  })

  test('clients that ask for taken channels, or none, get others', async () => {
    await startPublisher(server.port, 'ada/cam')
    const client = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam`
    await client.request('DESCRIBE', url, asAda)
    const first = await client.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })
    const second = await client.request('SETUP', `${url}/trackID=1`, {
      Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1',
      Session: sessionOf(first),
    })
    expect(second.headers.get('transport')).toContain('interleaved=2-3')
  })

  test('a stream that ended between SETUP and PLAY is not found', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const reader = await prepareReader(server.port, 'ada/cam')
    await publisher.client.request('TEARDOWN', publisher.url, publisher.session)
    expect((await reader.play()).status).toBe(404)
  })
})

describe('requests', () => {
  test('headers in lower case, keys in the query and controls behind it are all understood', async () => {
    const client = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam?api_key=key-of-ada`
    client.socket.write(
      `ANNOUNCE ${url} RTSP/1.0\r\ncseq: 17\r\ncontent-type: application/sdp\r\ncontent-length: ${announcement.length}\r\n\r\n${announcement}`,
    )
    const announced = await client.response()
    expect([announced.status, announced.headers.get('cseq')]).toEqual([200, '17'])
    const setUp = await client.request('SETUP', `${url}/streamid=0`, { transport: 'RTP/AVP/TCP;interleaved=0-1' })
    const session = setUp.headers.get('session')!
    expect(session).toMatch(/^[0-9a-f]{16};timeout=60$/)
    expect((await client.request('RECORD', url, { session })).status).toBe(200)
  })

  test.each([
    ['OPTIONS *', 200],
    ['GET_PARAMETER rtsp://h/ada/cam', 200],
    ['SET_PARAMETER rtsp://h/ada/cam', 200],
    ['TEARDOWN rtsp://h/ada/cam', 200],
    ['PLAY rtsp://h/ada/cam', 455],
    ['RECORD rtsp://h/ada/cam', 455],
    ['PAUSE rtsp://h/ada/cam', 455],
    ['REDIRECT rtsp://h/ada/cam', 501],
    ['constructor rtsp://h/ada/cam', 501],
    ['DESCRIBE rtsp://h/open/nothing', 404],
    ['DESCRIBE rtsp://h/open/../etc', 400],
    ['DESCRIBE rtsp://h/down/cam', 503],
    ['SETUP rtsp://h/open/nothing/trackID=0', 404],
    ['ANNOUNCE rtsp://h/open/cam', 400],
  ])('%s without more is answered %i', async (line, status) => {
    const client = await connectRtsp(server.port)
    const [method, url] = line.split(' ')
    expect((await client.request(method!, url!)).status).toBe(status)
  })

  test('what was not understood is named', async () => {
    const client = await connectRtsp(server.port)
    const onvif = 'www.onvif.org/ver20/backchannel'
    const answer = await client.request('DESCRIBE', 'rtsp://h/open/cam', { Require: onvif })
    expect([answer.status, answer.headers.get('unsupported')]).toEqual([551, onvif])
    expect((await client.request('PLAY', 'rtsp://h/open/cam', { Session: 'unknown' })).status).toBe(454)
    const announce = { 'Content-Type': 'text/plain' }
    expect((await client.request('ANNOUNCE', 'rtsp://h/open/cam', announce, 'x')).status).toBe(415)
  })

  test.each([
    ['RTP/AVP;multicast', 461],
    ['RTP/SAVP/TCP;interleaved=0-1', 461],
    ['', 461],
  ])('the transport %j is answered %i', async (transport, status) => {
    await startPublisher(server.port, 'ada/cam')
    const client = await connectRtsp(server.port)
    const url = `rtsp://127.0.0.1:${server.port}/ada/cam`
    await client.request('DESCRIBE', url, asAda)
    expect((await client.request('SETUP', `${url}/trackID=0`, { Transport: transport })).status).toBe(status)
    expect((await client.request('SETUP', `${url}/trackID=9`, { Transport: 'RTP/AVP/TCP' })).status).toBe(404)
  })

  test('bytes that are no RTSP are answered once, and the connection ends', async () => {
    const client = await connectRtsp(server.port)
    client.socket.write('GET / HTTP/1.1\r\n\r\n')
    expect((await client.response()).status).toBe(505)
    await client.closed
  })
})

describe('closing', () => {
  test('nobody is left behind when everybody vanishes', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    publisher.sendVideo(createFrameMaker()('key'))
    const readers = await Promise.all([1, 2, 3].map(() => startReader(server.port, 'ada/cam')))
    await server.until((hub) => hub.list()[0]!.readers === 3)
    readers[0]!.client.close()
    await server.until((hub) => hub.list()[0]!.readers === 2)
    publisher.client.socket.resetAndDestroy()
    await Promise.all(readers.slice(1).map(({ client }) => client.closed))
    expect(server.hub.list()).toEqual([])
  })

  test('closing the server closes every connection', async () => {
    const publisher = await startPublisher(server.port, 'ada/cam')
    const reader = await startReader(server.port, 'ada/cam')
    await server.close()
    await Promise.all([publisher.client.closed, reader.client.closed])
    expect(server.hub.list()).toEqual([])
  })
})
