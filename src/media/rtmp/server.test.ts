import { afterEach, describe, expect, test } from 'vitest'
import { createCollectingReader } from '../../../test/builders/collecting-reader.ts'
import {
  aacConfigurationTag,
  aacFrameTag,
  avcConfigurationTag,
  avcFrameTag,
  H264,
  idr,
  predicted,
  withLengths,
} from '../../../test/builders/flv-tags.ts'
import { createRtmpClient, type RtmpClient } from '../../../test/builders/rtmp-client.ts'
import { createHub, type Hub, type HubEvent } from '../hub.ts'
import { type Authorize } from '../access.ts'
import { type ProtocolServer } from '../protocol-server.ts'
import { MediaRefusal } from '../refusal.ts'
import { readAmf0 } from './amf0-reader.ts'
import { writeAmf0 } from './amf0-writer.ts'
import { parseAudioTag } from './flv-audio.ts'
import { parseVideoTag } from './flv-video.ts'
import { MESSAGE, type RtmpMessage } from './message.ts'
import { createRtmpServer, type RtmpServerOptions } from './server.ts'

const SECRET = 'ak_0123456789abcdef'
const OPEN = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const

/** Publishing takes the key; reading is free. The key tells who it is. */
const authorize: Authorize = async (action, path, { credentials }) => {
  if (action === 'read') return { principal: 'reader' }
  if (credentials.kind === 'none') throw new MediaRefusal('credentials-needed', 'Say who you are.')
  if (credentials.kind !== 'key' || !credentials.key.startsWith(SECRET)) {
    throw new MediaRefusal('credentials-wrong', 'The key is wrong.')
  }
  if (!path.startsWith('admin/')) throw new MediaRefusal('forbidden', `The key is not for ${path}.`)
  return { principal: credentials.key }
}

interface Stage {
  readonly hub: Hub
  readonly port: number
  readonly server: ProtocolServer
  readonly logged: string[]
  readonly events: HubEvent[]
  client(): Promise<RtmpClient>
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function createStage(options: Partial<RtmpServerOptions> = {}): Promise<Stage> {
  const logged: string[] = []
  const events: HubEvent[] = []
  const write = (fields: unknown, text: string) => void logged.push(`${text} ${JSON.stringify(fields)}`)
  const hub = createHub({ authorize, onEvent: (event) => events.push(event), now: Date.now })
  const log = { info: write, warn: write }
  const server = createRtmpServer({ hub, host: '127.0.0.1', port: 0, log, ...options })
  const { port } = await server.listen()
  cleanups.push(() => server.close())
  return {
    hub,
    port,
    server,
    logged,
    events,
    async client() {
      const client = await createRtmpClient({ port })
      cleanups.push(() => client.close())
      return client
    },
  }
}

const key = (id: number, bytes?: number) => avcFrameTag(withLengths([idr(id, bytes)]), { isKeyframe: true })
const delta = (id: number) => avcFrameTag(withLengths([predicted(id)]))
const isVideo = ({ typeId }: RtmpMessage) => typeId === MESSAGE.video

function sendMetadata(client: RtmpClient): void {
  client.message(MESSAGE.dataAmf0, writeAmf0('@setDataFrame', 'onMetaData', { videocodecid: 7, width: 1920 }))
}

/** Publishes until the path is live. */
async function publishing(stage: Stage, name = `cam?api_key=${SECRET}`): Promise<RtmpClient> {
  const client = await stage.client()
  expect(await client.publish('admin', name)).toMatchObject({ code: 'NetStream.Publish.Start' })
  sendMetadata(client)
  client.message(MESSAGE.video, avcConfigurationTag())
  client.message(MESSAGE.video, key(1), 0)
  await until(() => stage.events.some(({ type }) => type === 'live'))
  return client
}

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve))
}

describe('publishing', () => {
  test('pictures arrive at the hub, with their sets', async () => {
    const stage = await createStage()
    const client = await publishing(stage)
    const subscription = await stage.hub.subscribe('admin/cam', OPEN)
    const reader = createCollectingReader(subscription.description)
    subscription.start(reader)
    client.message(MESSAGE.video, delta(2), 40)
    await until(() => reader.pictures.length === 2)
    expect(reader.pictures.map(({ nalUnits }) => nalUnits)).toEqual([[H264.sps, H264.pps, idr(1)], [predicted(2)]])
    expect(reader.reports[0]).toMatchObject({ track: 0 })
  })

  test.each(['deleteStream', 'closeStream', 'FCUnpublish'])('%s ends the stream', async (command) => {
    const stage = await createStage()
    const client = await publishing(stage)
    client.command(command, 0, null, 1)
    expect(await client.status()).toMatchObject({ code: 'NetStream.Unpublish.Success' })
    expect(stage.events.at(-1)).toMatchObject({ type: 'gone', reason: 'publisher-left' })
  })

  test('the end of the connection ends the stream', async () => {
    const stage = await createStage()
    const client = await publishing(stage)
    client.close()
    await until(() => stage.events.at(-1)?.type === 'gone')
  })

  test.each([
    { name: 'no key', stream: 'cam', code: 'NetStream.Publish.Denied', description: 'Say who you are.' },
    {
      name: 'a wrong key',
      stream: 'cam?api_key=x',
      code: 'NetStream.Publish.Denied',
      description: 'The key is wrong.',
    },
    {
      name: 'a bad path',
      stream: `../x?api_key=${SECRET}`,
      code: 'NetStream.Publish.BadName',
      description: 'A stream path is',
    },
  ])('with $name is refused, and the connection ends', async ({ stream, code, description }) => {
    const stage = await createStage()
    const client = await stage.client()
    const status = await client.publish('admin', stream)
    expect(status).toMatchObject({ level: 'error', code })
    expect(status.description).toContain(description)
    await client.closed
  })

  test('a path that somebody else has is refused', async () => {
    const stage = await createStage()
    await publishing(stage)
    const second = await stage.client()
    expect(await second.publish('admin', `cam?api_key=${SECRET}2`)).toMatchObject({ code: 'NetStream.Publish.BadName' })
  })

  test('who comes back takes over, and the old connection is told', async () => {
    const stage = await createStage()
    const first = await publishing(stage)
    const second = await stage.client()
    expect(await second.publish('admin', `cam?api_key=${SECRET}`)).toMatchObject({ code: 'NetStream.Publish.Start' })
    expect(await first.status()).toMatchObject({ level: 'error', code: 'NetStream.Publish.BadName' })
    await first.closed
    sendMetadata(second)
    second.message(MESSAGE.video, avcConfigurationTag())
    second.message(MESSAGE.video, key(9))
    await until(() => stage.events.filter(({ type }) => type === 'live').length === 2)
  })

  test('keys never reach the log, wherever they were written', async () => {
    const stage = await createStage()
    for (const [app, name] of [
      ['admin', `cam?api_key=${SECRET}`],
      ['admin', SECRET],
      [`admin?api_key=${SECRET}`, 'cam2'],
      ['admin', `cam&api_key=${SECRET}`],
      ['other', `cam?api_key=${SECRET}&token=${SECRET}`],
    ] as const) {
      await (await stage.client()).publish(app, name)
    }
    expect(stage.logged.length).toBeGreaterThan(4)
    expect(stage.logged.join('\n')).not.toContain('0123456789')
  })

  test('a codec that changes in mid-stream ends the connection', async () => {
    const stage = await createStage()
    const client = await publishing(stage)
    client.message(MESSAGE.video, Buffer.from('\x90hvc1record', 'latin1'), 40)
    await client.closed
    expect(stage.logged.join()).toContain('codec changed')
  })
})

describe('playing', () => {
  test('begins with metadata, configuration and the last keyframe, at time 0', async () => {
    const stage = await createStage()
    const publisher = await publishing(stage)
    publisher.message(MESSAGE.video, key(2, 200_000), 60_000)
    publisher.message(MESSAGE.video, delta(3), 60_040)

    const reader = await stage.client()
    expect(await reader.play('admin', 'cam')).toMatchObject({ code: 'NetStream.Play.Reset' })
    expect(await reader.status()).toMatchObject({ code: 'NetStream.Play.Start' })
    const metadata = await reader.waitFor(({ typeId }) => typeId === MESSAGE.dataAmf0)
    expect(readAmf0(metadata.payload)).toMatchObject(['onMetaData', { width: 1920, height: 1080, videocodecid: 7 }])
    expect(parseVideoTag((await reader.waitFor(isVideo)).payload).kind).toBe('configuration')

    const first = await reader.waitFor(isVideo)
    expect(first.timestamp).toBe(0)
    expect(parseVideoTag(first.payload)).toMatchObject({ isKeyframe: true })
    expect(first.payload.subarray(5).equals(withLengths([idr(2, 200_000)]))).toBe(true)
    const second = await reader.waitFor(isVideo)
    expect(parseVideoTag(second.payload)).toMatchObject({ isKeyframe: false, data: withLengths([predicted(3)]) })
  })

  test('sound and pictures keep their distance', async () => {
    const stage = await createStage()
    const publisher = await stage.client()
    await publisher.publish('admin', `cam?api_key=${SECRET}`)
    publisher.message(MESSAGE.video, avcConfigurationTag())
    publisher.message(MESSAGE.audio, aacConfigurationTag())
    publisher.message(MESSAGE.video, key(1), 5000)
    await until(() => stage.events.length === 1)
    const reader = await stage.client()
    await reader.play('admin', 'cam')
    for (const ms of [5016, 5037, 5058]) publisher.message(MESSAGE.audio, aacFrameTag(Buffer.of(0x21, 1)), ms)
    publisher.message(MESSAGE.video, delta(2), 5100)

    const pictures: number[] = []
    const sounds: number[] = []
    while (pictures.length < 2 || sounds.length < 3) {
      const { typeId, timestamp, payload } = await reader.waitFor(({ typeId }) => typeId === 8 || typeId === 9)
      const tag = typeId === MESSAGE.video ? parseVideoTag(payload) : parseAudioTag(payload)
      if (tag.kind === 'frame') (typeId === MESSAGE.video ? pictures : sounds).push(timestamp)
    }
    // The stream allows for two reordered pictures, so decoding begins that much before presentation.
    expect(pictures).toEqual([0, 34])
    expect(sounds.map((ms) => ms - 67)).toEqual([16, 37, 59])
  })

  test('a path where nobody publishes is not found', async () => {
    const stage = await createStage()
    const reader = await stage.client()
    expect(await reader.play('admin', 'nobody')).toMatchObject({
      level: 'error',
      code: 'NetStream.Play.StreamNotFound',
    })
    await reader.closed
  })

  test('the end of the stream is told, then the connection ends', async () => {
    const stage = await createStage()
    const publisher = await publishing(stage)
    const reader = await stage.client()
    await reader.play('admin', 'cam')
    await reader.status()
    publisher.close()
    expect(await reader.status()).toMatchObject({ code: 'NetStream.Play.UnpublishNotify' })
    await reader.closed
  })

  test('a reader that does not read is let go; the others go on', async () => {
    const stage = await createStage({ limits: { maxQueuedBytes: 500_000 } })
    const publisher = await publishing(stage)
    const [slow, quick] = [await stage.client(), await stage.client()]
    for (const reader of [slow, quick]) {
      await reader.play('admin', 'cam')
      await reader.waitFor(isVideo)
    }
    slow.pauseReading()
    for (let i = 2; !stage.logged.join().includes('could not keep up'); i++) {
      publisher.message(MESSAGE.video, key(i & 0xff, 300_000), i * 40)
      await quick.waitFor((message) => isVideo(message) && message.payload.length > 300_000)
    }
  })

  test('a paused reader goes on with a keyframe', async () => {
    const stage = await createStage()
    const publisher = await publishing(stage)
    const reader = await stage.client()
    await reader.play('admin', 'cam')
    await reader.status()
    reader.command('pause', 0, null, true, 0)
    expect(await reader.status()).toMatchObject({ code: 'NetStream.Pause.Notify' })
    reader.command('pause', 0, null, false, 0)
    expect(await reader.status()).toMatchObject({ code: 'NetStream.Unpause.Notify' })
    publisher.message(MESSAGE.video, delta(2), 40)
    publisher.message(MESSAGE.video, key(3), 80)
    expect(parseVideoTag((await reader.waitFor(isVideo)).payload)).toMatchObject({ isKeyframe: true })
  })
})

describe('the connection', () => {
  test('commands that need nothing done are answered', async () => {
    const stage = await createStage()
    const client = await stage.client()
    await client.connect('admin', { fourCcList: ['*'] })
    const commands = ['releaseStream', 'FCPublish', 'getStreamLength', '_checkbw', 'somethingNew']
    for (const [index, name] of commands.entries()) client.command(name, index + 2, null, 'cam')
    for (const [index] of commands.entries()) expect((await client.answer('_result'))[1]).toBe(index + 2)
  })

  test('a ping is answered', async () => {
    const stage = await createStage()
    const client = await stage.client()
    await client.connect('admin')
    client.message(MESSAGE.userControl, Buffer.of(0, 6, 1, 2, 3, 4), 0, 0)
    const pong = await client.waitFor(({ typeId }) => typeId === MESSAGE.userControl)
    expect(pong.payload).toEqual(Buffer.of(0, 7, 1, 2, 3, 4))
  })

  test('received bytes are acknowledged at the window that the client asked for', async () => {
    const stage = await createStage()
    const client = await stage.client()
    await client.connect('admin')
    client.message(MESSAGE.windowAcknowledgementSize, Buffer.of(0, 0, 0x10, 0), 0, 0)
    client.message(MESSAGE.audio, Buffer.alloc(5000), 0, 0)
    const message = await client.waitFor(({ typeId }) => typeId === MESSAGE.acknowledgement)
    expect(message.payload.readUInt32BE()).toBeGreaterThan(5000)
  })

  test('a connect without any address is rejected', async () => {
    const stage = await createStage()
    const client = await stage.client()
    client.command('connect', 1, {})
    expect((await client.answer('_error'))[3]).toMatchObject({ code: 'NetConnection.Connect.Rejected' })
    await client.closed
  })

  test.each([
    { what: 'something that is not RTMP', send: (client: RtmpClient) => client.send(Buffer.from('\xff\xff\xff\xff')) },
    { what: 'a command before connect', send: (client: RtmpClient) => client.command('createStream', 1, null) },
    {
      what: 'a message that is too large',
      send: (client: RtmpClient) => client.send(Buffer.from('04000000ffffff0901000000', 'hex')),
    },
  ])('$what ends it', async ({ send }) => {
    const stage = await createStage()
    const client = await stage.client()
    send(client)
    await client.closed
  })
})

describe('time limits', () => {
  const timeouts = { setupMs: 60, publisherMs: 60 }

  test.each([
    { who: 'says nothing', act: async () => undefined },
    { who: 'never connects', act: async (client: RtmpClient) => client.send(Buffer.alloc(0)) },
    { who: 'connects and does nothing', act: (client: RtmpClient) => client.connect('admin') },
  ])('a client that $who is let go', async ({ act }) => {
    const stage = await createStage({ timeouts })
    const client = await stage.client()
    await act(client)
    await client.closed
  })

  test('a publisher that falls silent is let go, one that sends is not', async () => {
    const stage = await createStage({ timeouts })
    const client = await publishing(stage)
    const startedAt = performance.now()
    for (let ms = 40; performance.now() - startedAt < 200; ms += 10) {
      client.message(MESSAGE.video, delta(2), ms)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(stage.events.at(-1)?.type).toBe('live')
    await client.closed
    await until(() => stage.events.at(-1)?.type === 'gone')
  })

  test('a reader may stay as long as it likes', async () => {
    const stage = await createStage({ timeouts: { setupMs: 60, publisherMs: 10_000 } })
    const publisher = await publishing(stage)
    const reader = await stage.client()
    await reader.play('admin', 'cam')
    await new Promise((resolve) => setTimeout(resolve, 120))
    publisher.message(MESSAGE.video, key(7), 200)
    await reader.waitFor((message) => isVideo(message) && message.payload.at(-1) === 7)
  })
})

describe('the server', () => {
  test('takes no more connections than it may, and from one address', async () => {
    for (const limits of [{ maxConnections: 2 }, { maxConnectionsPerAddress: 2 }]) {
      const stage = await createStage({ limits })
      const [first] = [await stage.client(), await stage.client()]
      await (
        await stage.client()
      ).closed
      first.close()
      await first.closed
      await until(() => stage.logged.length > 0)
      await (await stage.client()).connect('admin')
    }
  })

  test('closes with publishers and readers on it', async () => {
    const stage = await createStage()
    const publisher = await publishing(stage)
    const reader = await stage.client()
    await reader.play('admin', 'cam')
    await stage.server.close()
    await Promise.all([publisher.closed, reader.closed])
    expect(stage.events.at(-1)?.type).toBe('gone')
  })

  test('says when its port is taken', async () => {
    const { port, hub } = await createStage()
    const log = { info: () => undefined, warn: () => undefined }
    const second = createRtmpServer({ hub, host: '127.0.0.1', port, log })
    await expect(second.listen()).rejects.toThrow('EADDRINUSE')
    await second.close()
  })
})
