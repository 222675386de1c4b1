import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { startOpenRtspServer } from '../../../../test/support/rtsp-server.ts'
import { type StreamDescription } from '../../stream.ts'
import { RtspClientError } from './client-error.ts'
import { OWN_SERVER } from './connection.ts'
import { openRtspPlayer } from './player.ts'
import { openRtspPublisher } from './publisher.ts'
import { buildSenderReport } from '../wire/rtcp.ts'

let server: Awaited<ReturnType<typeof startOpenRtspServer>>
beforeEach(async () => void (server = await startOpenRtspServer()))
afterEach(() => server.close())

const description: StreamDescription = {
  tracks: [
    { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' },
    { kind: 'audio', codec: 'opus', payloadType: 97, clockRate: 48_000, encodingName: 'opus', channels: 2 },
  ],
}

test('what one client publishes another plays, packet by packet, with sender reports', async () => {
  const publisher = await openRtspPublisher(server.url, description)
  expect(server.events).toEqual([])
  await publisher.record()
  const makeFrame = createFrameMaker()
  const sent = [makeFrame('key'), makeFrame('delta'), makeFrame('delta')]
  publisher.write(0, sent[0]!)

  const player = await openRtspPlayer(server.url, OWN_SERVER)
  expect(player.description.tracks).toMatchObject(description.tracks)
  const received: Buffer[] = []
  const reported = new Promise((resolve) => {
    void player.start({
      packet: (_track, data) => void received.push(Buffer.from(data)),
      report: resolve,
      end: () => {},
    })
  })
  await server.until((hub) => hub.list()[0]?.readers === 1)
  publisher.write(0, sent[1]!)
  publisher.write(0, sent[2]!)
  const report = { ssrc: 1, timestamp: 9000, wallClockMs: 1_700_000_000_000, packets: 1, payloadBytes: 1 }
  publisher.writeReport(0, buildSenderReport(report))

  expect(await reported).toEqual({ track: 0, timestamp: 9000, wallClockMs: 1_700_000_000_000 })
  expect(received).toEqual(sent)
  await player.close()
  await server.until((hub) => hub.list()[0]?.readers === 0)
  await publisher.close()
  await server.until((hub) => hub.list().length === 0)
})

test('only the wanted tracks are asked for', async () => {
  const publisher = await openRtspPublisher(server.url, description)
  await publisher.record()
  const player = await openRtspPlayer(server.url, OWN_SERVER)
  const tracks = new Set<number>()
  const first = new Promise<void>((resolve) => {
    void player.start(
      { packet: (track) => (tracks.add(track), resolve()), report: () => {}, end: () => {} },
      (track) => track === 0,
    )
  })
  await server.until((hub) => hub.list()[0]?.readers === 1)
  publisher.write(1, createFrameMaker()('key'))
  publisher.write(0, createFrameMaker()('key'))
  await first
  expect([...tracks]).toEqual([0])
  await Promise.all([player.close(), publisher.close()])
})

test('a stream that nobody publishes is refused with the server’s status', async () => {
  const refusal = await openRtspPlayer(server.url, OWN_SERVER).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(RtspClientError)
  expect(refusal).toMatchObject({ status: 404 })
})

test('a server that is not there is an error, not a wait', async () => {
  await server.close()
  await expect(openRtspPlayer(server.url, OWN_SERVER)).rejects.toThrow('Connection refused.')
})

test('players are notified when the stream ends', async () => {
  const publisher = await openRtspPublisher(server.url, description)
  await publisher.record()
  const player = await openRtspPlayer(server.url, OWN_SERVER)
  const ended = new Promise<string>((resolve) => {
    void player.start({ packet: () => {}, report: () => {}, end: resolve })
  })
  await server.until((hub) => hub.list()[0]?.readers === 1)
  await publisher.close()
  expect(await ended).toContain('closed')
})
