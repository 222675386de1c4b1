/** What a client may send at once, and how much of it others have to wait for. */
import { Duplex } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import {
  avcC,
  avcConfigurationTag,
  avcFrameTag,
  flvTag,
  H264,
  idr,
  predicted,
  withLengths,
} from '../../../../test/builders/flv-tags.ts'
import { CLIENT_GREETING, clientMessage } from '../../../../test/support/rtmp-client.ts'
import { createRtmpRig, isVideo, SECRET, startPublishing } from '../../../../test/support/rtmp-rig.ts'
import { createHub } from '../../hub.ts'
import { writeAmf0 } from '../wire/amf0-writer.ts'
import { type AmfValue } from '../wire/amf0.ts'
import { createChunkParser } from '../wire/chunk-parser.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { createH264Packetizer } from '../../rtp/h264-codec.ts'
import { describeH264Track } from '../../rtp/h264-codec.ts'
import { createWaitingBytes } from '../../waiting-bytes.ts'
import { createConnection } from './connection.ts'
import { createMuxerPool } from './muxer-pool.ts'

/** So many empty messages, each of one byte. */
const emptyMessages = (count: number, typeId: number = MESSAGE.audio) =>
  Buffer.concat([Buffer.of(5, 0, 0, 0, 0, 0, 0, typeId, 0, 0, 0, 0), Buffer.alloc(count - 1, 0xc5)])
const ping = (id: number) => clientMessage(MESSAGE.userControl, Buffer.of(0, 6, 0, 0, 0, id), 0, 0)
const isPong = ({ typeId, payload }: RtmpMessage) => typeId === MESSAGE.userControl && payload[1] === 7

describe('before anything is accepted', () => {
  test('256 messages are taken, one more is not', async () => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    await client.connect('admin')
    client.send(Buffer.concat([emptyMessages(254), ping(1)]))
    await client.waitFor(isPong)
    client.send(emptyMessages(1))
    await client.closed
    expect(rig.logged.join()).toContain('nothing published or played')
  })

  test.each([
    { what: 'many small messages', data: emptyMessages(65_536, MESSAGE.commandAmf0) },
    { what: 'messages that concern chunks', data: repeated(clientMessage(MESSAGE.abort, Buffer.alloc(4)), 300_000) },
    { what: 'messages that are begun again and again', data: repeated(Buffer.of(5, 0, 0, 0, 0, 9, 0, 8), 300_000) },
  ])('$what end the connection', async ({ data }) => {
    const rig = await createRtmpRig()
    const client = await rig.client()
    await client.connect('admin')
    client.send(data)
    await client.closed
  })
})

describe('a publisher', () => {
  test.each([
    { what: 'messages', data: emptyMessages(20_000), minRounds: 15_000 / 256 },
    {
      what: 'tags in an aggregate',
      data: clientMessage(
        MESSAGE.aggregate,
        repeated(flvTag(8, Buffer.of(0xaf)), 16_000 * flvTag(8, Buffer.of(0xaf)).length),
      ),
      minRounds: 15_000 / 256,
    },
    {
      what: 'chunks of messages that never end',
      data: Buffer.concat([
        Buffer.of(2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 1),
        repeated(Buffer.of(0x45, 0, 0, 0, 0, 0, 9, 8, 0xaa), 9 * 200_000),
        Buffer.of(2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0xc2, 0, 0xc2, 0, 0xc2, 128),
      ]),
      // By the steps alone, however fast they are.
      minRounds: 200_000 / (256 * 256) - 1,
    },
    {
      what: 'packets in one picture',
      data: Buffer.concat([
        clientMessage(MESSAGE.dataAmf0, writeAmf0('@setDataFrame', 'onMetaData', { videocodecid: 7 })),
        clientMessage(MESSAGE.video, avcConfigurationTag()),
        clientMessage(MESSAGE.setChunkSize, Buffer.of(1, 0, 0, 0), 0, 0),
        pictureInOneChunk(4_000_000),
      ]),
      minRounds: 2_800 / 256,
    },
  ])('that sends very many $what at once lets others have their turn', async ({ data, minRounds }) => {
    const connection = await openInMemory()
    connection.push(Buffer.concat([data, ping(1)]))
    const rounds = await connection.roundsUntil(isPong)
    expect(rounds).toBeGreaterThan(minRounds)
  })

  test.each([
    {
      what: 'NAL units',
      typeId: MESSAGE.video,
      payload: avcFrameTag(Buffer.alloc(2 * 2_049, Buffer.of(1, 0x41))),
      maxParts: 2048,
    },
    {
      what: 'tags',
      typeId: MESSAGE.aggregate,
      payload: repeated(flvTag(9, Buffer.of(0x27, 1)), 17 * 16_385),
      maxParts: 16384,
    },
  ])('that sends a message of too many $what is let go', async ({ typeId, payload, maxParts }) => {
    const rig = await createRtmpRig()
    const client = await startPublishing(rig)
    client.message(MESSAGE.video, avcConfigurationTag(avcC(H264.sps, H264.pps, 1)))
    client.message(typeId, payload)
    await client.closed
    expect(rig.logged.join()).toContain(`A connection was ended: Something was sent in more than ${maxParts} parts.`)
  })
})

describe('a player', () => {
  test('that asks too often is let go, though it reads', async () => {
    const rig = await createRtmpRig()
    await startPublishing(rig)
    const player = await rig.client()
    await player.play('admin', 'cam')
    await player.waitFor(isVideo)
    // So many that no machine is slow enough to answer them at the rate that is allowed.
    player.send(Buffer.concat(Array.from({ length: 3_000 }, () => ping(1))))
    await player.closed
    expect(rig.logged.join()).toContain('more than 100 things in a second')
  })

  test('that takes no answers is let go, though it is paused', async () => {
    const connection = await openInMemory('play')
    connection.push(clientMessage(MESSAGE.commandAmf0, writeAmf0('pause', 0, null, true, 0)))
    connection.stopReading()
    // Each is answered by as much as it says, and the socket takes none of it.
    const name = 'n'.repeat(60_000)
    const wordy = clientMessage(MESSAGE.commandAmf0, writeAmf0('FCSubscribe', 0, null, name))
    for (let sent = 0; sent < 30; sent++) connection.push(wordy)
    await connection.closed
    expect(connection.refusals.join()).toContain('takes no answers')
  })

  test('that takes no pictures is let go for what the writes of small ones hold, not for their bytes alone', async () => {
    const connection = await openInMemory('play')
    connection.stopReading()
    // Not 100 kB, and more than a megabyte of memory.
    connection.feed(3_000)
    await connection.closed
    expect(connection.warnings).toMatchObject([{ why: 'too-many-bytes' }])
  })

  test('that takes no pictures counts with all who read the account’s streams, whatever they speak', async () => {
    const waitingBytes = createWaitingBytes({ maxBytes: 100_000 })
    const ended: string[] = []
    waitingBytes.join('admin', (why) => ended.push(why)).note(70_000)
    const connection = await openInMemory('play', waitingBytes)
    connection.stopReading()
    connection.feed(100)
    expect([ended, connection.warnings]).toEqual([['others-wait-too'], []])
    connection.feed(200)
    await connection.closed
    expect(connection.warnings).toMatchObject([{ path: 'admin/cam', why: 'others-wait-too' }])
  })
})

/** A connection without sockets, so that nothing else needs rounds of the event loop. */
async function openInMemory(action: 'publish' | 'play' = 'publish', waitingBytes = createWaitingBytes()) {
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => undefined })
  const parser = createChunkParser()
  const messages: RtmpMessage[] = []
  const refusals: string[] = []
  const warnings: object[] = []
  let greetingLeft = 1 + 2 * 1536
  let isReading = true
  const socket = new Duplex({
    highWaterMark: 1024 * 1024,
    read: () => undefined,
    write(data: Buffer, _encoding, done) {
      if (!isReading) return
      const skipped = Math.min(greetingLeft, data.length)
      greetingLeft -= skipped
      messages.push(...pushAll(parser, data.subarray(skipped)))
      done()
    },
  })
  const closed = new Promise<void>((resolve) => {
    createConnection({
      socket,
      isEncrypted: false,
      hub,
      muxers: createMuxerPool(),
      log: { info: () => undefined, warn: (fields) => void warnings.push(fields) },
      refusals: { note: (_fields, text) => void refusals.push(text) },
      now: Date.now,
      remoteAddress: '127.0.0.1',
      waitingBytes,
      maxQueuedBytes: 1024 * 1024,
      timeouts: { idleMs: 60_000, publisherMs: 60_000 },
      onCameraCalled: () => undefined,
      onAccepted: () => undefined,
      onStreaming: () => undefined,
      onClosed: resolve,
    })
  })
  const command = (name: string, ...values: AmfValue[]) =>
    clientMessage(MESSAGE.commandAmf0, writeAmf0(name, ...values), 0, name === 'connect' ? 0 : 1)
  const publication = action === 'play' ? await publishTo(hub) : undefined
  socket.push(CLIENT_GREETING)
  socket.push(command('connect', 1, { app: 'admin' }))
  socket.push(command('createStream', 2, null))
  socket.push(command(action, 3, null, `cam?api_key=${SECRET}`))
  const isStatus = ({ typeId, payload }: RtmpMessage) =>
    typeId === MESSAGE.commandAmf0 && payload.includes(action === 'publish' ? 'Publish.Start' : 'Play.Start')
  while (!messages.some(isStatus)) await nextRound()

  return {
    closed,
    refusals,
    warnings,
    /** Pictures of a few bytes, to be played. */
    feed: (count: number) => publication!.feed(count),
    push: (data: Buffer) => void socket.push(data),
    stopReading: () => void (isReading = false),
    async roundsUntil(isIt: (message: RtmpMessage) => boolean): Promise<number> {
      for (let rounds = 0; ; rounds++) {
        if (messages.some(isIt)) return rounds
        await nextRound()
      }
    },
  }
}

async function publishTo(hub: ReturnType<typeof createHub>) {
  const request = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtmp' } as const
  const publication = await hub.publish('admin/cam', request)
  publication.start({ tracks: [describeH264Track(96, [H264.sps, H264.pps])] })
  const packetize = createH264Packetizer({ payloadType: 96 })
  let timestamp = 0
  const write = (nalUnit: Buffer) => {
    timestamp += 3_000
    for (const packet of packetize([nalUnit], timestamp)) publication.write(0, packet)
  }
  write(idr(1, 10))
  return {
    feed(count: number): void {
      for (let i = 0; i < count; i++) write(predicted(2, 1))
    },
  }
}

/** Once the chunk size allows it. */
function pictureInOneChunk(bytes: number): Buffer {
  const tag = avcFrameTag(withLengths([idr(1, bytes)]), { isKeyframe: true })
  const header = Buffer.from('060000000000000901000000', 'hex')
  header.writeUIntBE(tag.length, 4, 3)
  return Buffer.concat([header, tag])
}

function repeated(part: Buffer, bytes: number): Buffer {
  return Buffer.alloc(bytes - (bytes % part.length), part)
}
