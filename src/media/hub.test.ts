import { expect, test } from 'vitest'
import { type AccessRequest } from './access.ts'
import { createHub, type HubEvent } from './hub.ts'
import { type Reader } from './publication.ts'
import { buildPacket } from './rtp/packet.ts'
import { type MediaPacket, type SenderReport, type StreamDescription } from './stream.ts'

const h264: StreamDescription = {
  tracks: [
    { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' },
    { kind: 'audio', codec: 'opus', payloadType: 97, clockRate: 48_000, encodingName: 'opus', channels: 2 },
  ],
}
const idr = [0x65, 0x88]
const slice = [0x41, 0x9a]

let sequenceNumber = 0
const rtp = (timestamp: number, payload: number[]) =>
  buildPacket(
    { payloadType: 96, sequenceNumber: sequenceNumber++, timestamp, ssrc: 7, marker: true },
    Buffer.from(payload),
  )

const as = (username: string): AccessRequest => ({
  credentials: { kind: 'password', username, password: 'secret' },
  remoteAddress: '127.0.0.1',
  protocol: 'rtsp',
})

function setUp() {
  const events: HubEvent[] = []
  const hub = createHub({
    authorize: async (_action, _path, { credentials }) => ({
      principal: credentials.kind === 'password' ? credentials.username : 'nobody',
    }),
    onEvent: (event) => void events.push(event),
    now: () => 0,
  })
  return { hub, events }
}

function recordingReader() {
  const packets: MediaPacket[] = []
  const reports: SenderReport[] = []
  const ends: string[] = []
  const reader: Reader = {
    packet: (packet) => void packets.push(packet),
    report: (report) => void reports.push(report),
    end: (reason) => void ends.push(reason),
  }
  return { reader, packets, reports, ends, timestamps: () => packets.map(({ timestamp }) => timestamp) }
}

test('a reader that comes late begins with the last keyframe', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  for (const [timestamp, payload] of [
    [1, idr],
    [2, slice],
    [3, idr],
    [4, slice],
  ] as const) {
    publication.write(0, rtp(timestamp, [...payload]))
  }
  const { reader, timestamps } = recordingReader()
  const subscription = await hub.subscribe('ada/cam', as('bob'))
  subscription.start(reader)
  publication.write(0, rtp(5, slice))
  expect(timestamps()).toEqual([3, 4, 5])
})

test('a reader that comes before the first keyframe waits for it, audio included', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  const { reader, timestamps } = recordingReader()
  ;(await hub.subscribe('ada/cam', as('bob'))).start(reader)
  publication.write(1, rtp(1, [1]))
  publication.write(0, rtp(2, slice))
  publication.write(0, rtp(3, idr))
  publication.write(1, rtp(4, [1]))
  expect(timestamps()).toEqual([3, 4])
})

test('a closed subscription can start again, at a keyframe', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  const { reader, timestamps } = recordingReader()
  const subscription = await hub.subscribe('ada/cam', as('bob'))
  publication.write(0, rtp(1, idr))
  subscription.start(reader)
  subscription.close()
  publication.write(0, rtp(2, slice))
  expect(hub.list()).toEqual([{ path: 'ada/cam', isLive: true, readers: 0 }])
  subscription.start(reader)
  expect(timestamps()).toEqual([1, 1, 2])
})

test('new readers are told the parameter sets that came in band', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  const announced = Buffer.from([0x67, 0x42, 0, 0x1e, 0x80])
  publication.start({ tracks: [{ ...h264.tracks[0]!, parameterSets: [announced] }, h264.tracks[1]!] })
  const before = await hub.subscribe('ada/cam', as('bob'))
  const inBand = Buffer.from([0x67, 0x64, 0, 0x1f, 0x80])
  publication.write(0, rtp(1, [...inBand]))
  const after = await hub.subscribe('ada/cam', as('bob'))
  expect(before.description.tracks[0]!.parameterSets).toEqual([announced])
  expect(after.description.tracks[0]!.parameterSets).toEqual([inBand])
})

test('a second publisher is refused, unless it is the first one coming back', async () => {
  const { hub, events } = setUp()
  const first = await hub.publish('ada/cam', as('ada'))
  first.start(h264)
  const endings: string[] = []
  first.onEnd((reason) => void endings.push(reason))
  const { reader, ends } = recordingReader()
  ;(await hub.subscribe('ada/cam', as('bob'))).start(reader)

  await expect(hub.publish('ada/cam', as('eve'))).rejects.toMatchObject({ reason: 'path-in-use' })
  expect(endings).toEqual([])

  await hub.publish('ada/cam', as('ada'))
  expect([endings, ends]).toEqual([['taken-over'], ['taken-over']])
  expect(events.map(({ type }) => type)).toEqual(['live', 'gone'])
})

test('when the publisher leaves, readers are told and nothing is left', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  const { reader, ends } = recordingReader()
  const subscription = await hub.subscribe('ada/cam', as('bob'))
  subscription.start(reader)
  publication.close()
  publication.write(0, rtp(1, idr))
  expect([ends, hub.list()]).toEqual([['publisher-left'], []])
  await expect(hub.subscribe('ada/cam', as('bob'))).rejects.toMatchObject({ reason: 'not-live' })
})

test('a new reader gets the last sender report of each track first', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  publication.report({ track: 0, timestamp: 1, wallClockMs: 10 })
  publication.report({ track: 0, timestamp: 2, wallClockMs: 20 })
  const { reader, reports } = recordingReader()
  ;(await hub.subscribe('ada/cam', as('bob'))).start(reader)
  expect(reports).toEqual([{ track: 0, timestamp: 2, wallClockMs: 20 }])
})
