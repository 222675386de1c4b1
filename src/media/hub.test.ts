import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { RECHECK_MS } from '../core/standing-rights.ts'
import { type AccessRequest } from './access.ts'
import { createHeldGroups } from './held-groups.ts'
import { createHub, type HubEvent, type HubOptions } from './hub.ts'
import { type Reader } from './publication.ts'
import { MediaRefusal } from './refusal.ts'
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

function setUp(options: Pick<HubOptions, 'heldGroups' | 'wake'> = {}) {
  const events: HubEvent[] = []
  const clock = createFakeClock()
  /** Why a client that was admitted is so no longer. */
  const refusals = new Map<string, Error>()
  const asked: string[] = []
  const hub = createHub({
    async authorize(action, path, { credentials }, isAgain) {
      const principal = credentials.kind === 'password' ? credentials.username : 'nobody'
      if (isAgain) asked.push(`${principal} ${action}`)
      const refusal = refusals.get(principal)
      if (refusal) throw refusal
      if (principal === 'worker') return { principal, isInternal: true }
      if (principal === 'gateway') return { principal, isInternal: true, isForViewers: true }
      const owner = path.split('/')[0]!
      const isOwner = principal === owner
      return action === 'publish'
        ? { principal, quota: { owner, maxPaths: 2 } }
        : { principal, isOwner, readerQuota: { owner, maxReaders: 3 } }
    },
    onEvent: (event) => void events.push(event),
    clock,
    ...options,
  })
  return { hub, events, clock, refusals, asked }
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

test('a publisher that was taken over before it listens learns of it, as do those whose right is lost meanwhile', async () => {
  const { hub, clock, refusals } = setUp()
  const [first, second] = await Promise.all([hub.publish('ann/cam', as('ann')), hub.publish('ann/cam', as('ann'))])
  const ends: string[] = []
  first.onEnd((reason) => void ends.push(`first: ${reason}`))
  refusals.set('ann', new MediaRefusal('credentials-wrong', 'Gone.'))
  await clock.advance(RECHECK_MS)
  second.onEnd((reason) => void ends.push(`second: ${reason}`))
  await Promise.resolve()
  expect(ends).toEqual(['first: taken-over', 'second: expelled'])
})

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

test('where no video has come for five seconds, our workers wait for the next keyframe; viewers, also through ours, get the last picture', async () => {
  const { hub, clock } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  publication.write(0, rtp(1, idr))
  const readAs = async (username: string) => {
    const { reader, timestamps } = recordingReader()
    ;(await hub.subscribe('ada/cam', as(username))).start(reader)
    return timestamps
  }
  await clock.advance(5_000)
  const inTime = await readAs('worker')
  await clock.advance(1)
  publication.write(1, rtp(2, [1]))
  const worker = await readAs('worker')
  const viewers = await Promise.all(['bob', 'gateway'].map(readAs))
  publication.write(0, rtp(3, slice))
  publication.write(0, rtp(4, idr))
  expect([inTime(), worker()]).toEqual([[1, 2, 3, 4], [4]])
  for (const seen of viewers) expect(seen()).toEqual([1, 2, 3, 4])
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

test('what is kept for new readers is bounded over all paths: who has most of it loses its largest', async () => {
  const { hub } = setUp({ heldGroups: createHeldGroups(1_500) })
  const publish = async (path: string, slices: number) => {
    const publication = await hub.publish(path, as('ada'))
    publication.start(h264)
    for (const payload of [idr, ...Array<number[]>(slices).fill(slice)]) publication.write(0, rtp(1, [...payload]))
    return publication
  }
  const large = await publish('ada/large', 2)
  await publish('ada/small', 0)
  await publish('bob/cam', 1)
  const kept = async (path: string) => {
    const { reader, packets } = recordingReader()
    ;(await hub.subscribe(path, as('bob'))).start(reader)
    return packets
  }
  expect((await kept('bob/cam')).length).toBe(2)
  expect((await kept('ada/small')).length).toBe(1)
  const late = await kept('ada/large')
  expect(late).toEqual([])
  large.write(0, rtp(9, idr))
  expect(late.length).toBe(1)
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
  expect(hub.list()).toEqual([{ path: 'ada/cam', isLive: true, isRelay: false, readers: 0 }])
  subscription.start(reader)
  expect(timestamps()).toEqual([1, 1, 2])
})

test('so many read the streams of one owner, whoever they are; our own workers do not count', async () => {
  const { hub } = setUp()
  for (const path of ['ada/one', 'ada/two', 'bob/one']) (await hub.publish(path, as('ada'))).start(h264)
  const read = async (path: string, username: string) => {
    const subscription = await hub.subscribe(path, as(username))
    subscription.start(recordingReader().reader)
    return subscription
  }
  const first = await read('ada/one', 'bob')
  await read('ada/two', 'eve')
  const early = await hub.subscribe('ada/one', as('eve'))
  await read('ada/one', 'bob')
  const refusal = {
    reason: 'limit-reached',
    message: expect.stringContaining('the key of ada allows (max_readers: 3)') as string,
  }
  await expect(hub.subscribe('ada/two', as('ada'))).rejects.toMatchObject(refusal)
  expect(() => early.start(recordingReader().reader)).toThrow('max_readers')
  await read('ada/one', 'worker')
  await read('bob/one', 'eve')
  first.close()
  first.close()
  await read('ada/two', 'ada')
  await expect(hub.subscribe('ada/two', as('ada'))).rejects.toMatchObject(refusal)
})

test('new readers get the parameter sets that came in band', async () => {
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

test('says once where video came, not audio, also of a path that has ended since; by the steady clock', async () => {
  const { hub, clock } = setUp()
  const atMs = clock.steady()
  // As when the machine's clock is set.
  clock.now = () => atMs + 3_600_000
  const [cam, gone, radio] = await Promise.all(
    ['ada/cam', 'bob/gone', 'eve/radio'].map((path) => hub.publish(path, as(path.split('/')[0]!))),
  )
  for (const publication of [cam!, gone!, radio!]) publication.start(h264)
  cam!.write(0, rtp(1, slice))
  gone!.write(0, rtp(1, slice))
  radio!.write(1, rtp(1, [1]))
  gone!.close()
  expect(hub.takeVideoTimes()).toEqual([
    { path: 'ada/cam', atMs },
    { path: 'bob/gone', atMs },
  ])
  expect(hub.takeVideoTimes()).toEqual([])
})

test('when the publisher leaves, readers are notified and nothing is left', async () => {
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

describe('rights are asked about again', () => {
  test('a reader whose right is gone leaves, and nobody else does', async () => {
    const { hub, clock, refusals } = setUp()
    const publication = await hub.publish('ada/cam', as('ada'))
    publication.start(h264)
    const [bob, eve] = [recordingReader(), recordingReader()]
    ;(await hub.subscribe('ada/cam', as('bob'))).start(bob.reader)
    ;(await hub.subscribe('ada/cam', as('eve'))).start(eve.reader)
    refusals.set('bob', new MediaRefusal('credentials-wrong', 'No longer.'))
    await clock.advance(RECHECK_MS)
    expect([bob.ends, eve.ends, hub.list()[0]!.readers]).toEqual([['expelled'], [], 1])
  })

  test('a publisher whose right is gone leaves, and its readers with it', async () => {
    const { hub, clock, refusals } = setUp()
    const publication = await hub.publish('ada/cam', as('ada'))
    publication.start(h264)
    const endings: string[] = []
    publication.onEnd((reason) => void endings.push(reason))
    const { reader, ends } = recordingReader()
    ;(await hub.subscribe('ada/cam', as('bob'))).start(reader)
    refusals.set('ada', new MediaRefusal('credentials-wrong', 'No longer.'))
    await clock.advance(RECHECK_MS)
    expect([endings, ends, hub.list()]).toEqual([['expelled'], ['expelled'], []])
  })

  test('while nobody can be asked, everybody stays', async () => {
    const { hub, clock, refusals } = setUp()
    await hub.publish('ada/cam', as('ada'))
    refusals.set('ada', new MediaRefusal('unavailable', 'Try again.'))
    await clock.advance(RECHECK_MS)
    expect(hub.list()).toHaveLength(1)
  })

  test('who has left is not asked about, nor is a worker of ours', async () => {
    const { hub, clock, asked } = setUp()
    const publication = await hub.publish('ada/out', as('worker'))
    publication.start(h264)
    const subscription = await hub.subscribe('ada/out', as('bob'))
    subscription.start(recordingReader().reader)
    await clock.advance(RECHECK_MS)
    subscription.close()
    await clock.advance(RECHECK_MS)
    expect(asked).toEqual(['bob read'])
  })

  test('a step in between can be sure', async () => {
    const { hub, refusals } = setUp()
    const publication = await hub.publish('ada/cam', as('ada'))
    publication.start(h264)
    const subscription = await hub.subscribe('ada/cam', as('bob'))
    await subscription.confirm()
    refusals.set('bob', new MediaRefusal('credentials-wrong', 'No longer.'))
    await expect(subscription.confirm()).rejects.toMatchObject({ reason: 'credentials-wrong' })
    await publication.confirm()
  })
})

test('below one name so many paths are published to and no more, whoever publishes', async () => {
  const { hub } = setUp()
  await hub.publish('ada/one', as('ada'))
  await hub.publish('ada/two', as('master'))
  await hub.publish('ada/out', as('worker'))
  await expect(hub.publish('ada/three', as('ada'))).rejects.toMatchObject({
    reason: 'limit-reached',
    message: expect.stringContaining('the key of ada allows (max_sources: 2)') as string,
  })
  const again = await hub.publish('ada/one', as('ada'))
  await hub.publish('bob/one', as('bob'))
  again.close()
  const outcomes = await Promise.allSettled(['ada/three', 'ada/four'].map((path) => hub.publish(path, as('ada'))))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('who finds no room, or reads already, does not wait for a turn', async () => {
  const { hub } = setUp()
  const publication = await hub.publish('ada/cam', as('ada'))
  publication.start(h264)
  publication.write(0, rtp(0, idr))
  const subscriptions = await Promise.all(Array.from({ length: 4 }, () => hub.subscribe('ada/cam', as('bob'))))
  for (const subscription of subscriptions.slice(0, 3)) subscription.start(recordingReader().reader)
  await subscriptions[0]!.waitForTurn()
  await expect(subscriptions[3]!.waitForTurn()).rejects.toMatchObject({ reason: 'limit-reached' })
})

describe('a camera that is connected for its readers', () => {
  test('is waited for by those who may read it', async () => {
    const events: string[] = []
    const { hub, refusals } = setUp({ wake: async (path) => void events.push(`wake ${path}`) })
    const publication = await hub.publish('ann/gate', as('ann'))
    publication.start(h264)
    refusals.set('eve', new MediaRefusal('forbidden', 'Not yours.'))
    const read = (name: string) => hub.subscribe('ann/gate', as(name), () => void events.push(`${name} waits`))
    await expect(read('eve')).rejects.toThrow('Not yours.')
    await read('bob')
    expect(events).toEqual(['wake ann/gate', 'bob waits'])
    hub.close()
  })

  test.each([
    ['ann', 'camera.lan refuses the connection.'],
    ['worker', 'camera.lan refuses the connection.'],
    ['bob', 'There is no video of this camera now.'],
  ])('that cannot be connected: %s is told "%s"', async (name, message) => {
    const refusal = new MediaRefusal('camera-lost', 'camera.lan refuses the connection.')
    const { hub } = setUp({ wake: () => Promise.reject(refusal) })
    await expect(hub.subscribe('ann/gate', as(name))).rejects.toMatchObject({ reason: 'camera-lost', message })
    hub.close()
  })

  test('is not called for those who read a published stream', async () => {
    const { hub } = setUp()
    const publication = await hub.publish('ann/gate', as('ann'))
    publication.start(h264)
    let waits = 0
    await hub.subscribe('ann/gate', as('bob'), () => void waits++)
    expect(waits).toBe(0)
    hub.close()
  })
})
