import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createCollectingReader } from '../../../../test/builders/collecting-reader.ts'
import {
  aacConfigurationTag,
  aacFrameTag,
  avcConfigurationTag,
  enhancedTag,
  hvcC,
  idr265,
  withLengths,
} from '../../../../test/builders/flv-tags.ts'
import { encodeClip } from '../../../../test/builders/h264-clip.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { clientMessage } from '../../../../test/support/rtmp-client.ts'
import { startServer } from '../../../../test/support/rtmp-player.ts'
import { failureOf } from '../../../../test/support/rtmp-publisher.ts'
import { closedPort, listen, type ReceiverPeer } from '../../../../test/support/rtmp-receiver.ts'
import { createRtmpRig, keyTag, SECRET, until } from '../../../../test/support/rtmp-rig.ts'
import { createHub } from '../../hub.ts'
import { isH264Slice } from '../../rtp/h264-nal-unit.ts'
import { writeAmf0 } from '../wire/amf0-writer.ts'
import { setChunkSize } from '../wire/control-messages.ts'
import { MESSAGE } from '../wire/message.ts'
import { openRtmpPublisher } from './publisher.ts'
import { type ReadRtmpOptions, readRtmpStream } from './stream-reader.ts'
import { RtmpUnreadableError } from './server-sentence.ts'
import { type EncodedPicture } from './video-sender.ts'

const ANYBODY = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const
const dial = async () => '127.0.0.1'
const video = (tag: Buffer, ms = 0) => clientMessage(MESSAGE.video, tag, ms)
const audio = (tag: Buffer, ms = 0) => clientMessage(MESSAGE.audio, tag, ms)
const metadata = (values: Record<string, number>) => clientMessage(MESSAGE.dataAmf0, writeAmf0('onMetaData', values))

/** One reading into a hub of its own. */
async function startReading(url: string, options: Partial<ReadRtmpOptions> = {}) {
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => {} })
  const publication = await hub.publish('admin/camera', ANYBODY)
  const ending = new AbortController()
  const log = { info: () => {}, warn: () => {} }
  let isLive = false
  const done = readRtmpStream({
    url,
    dial,
    publication,
    log,
    silenceMs: 5_000,
    signal: ending.signal,
    onLive: () => (isLive = true),
    ...options,
  })
  done.catch(() => {})
  onTestFinished(() => ending.abort())
  return { hub, done, end: () => ending.abort(), live: () => isLive }
}

/** A server that sends these after `play`. */
async function startCamera(...bytes: readonly Buffer[]): Promise<{ url: string; peers: readonly ReceiverPeer[] }> {
  const { port, peers } = await startServer(({ name }, peer) => {
    if (name !== 'play') return false
    peer.status('status', 'NetStream.Play.Start', '')
    peer.send(setChunkSize(128), ...bytes)
    return true
  })
  return { url: `rtmp://camera.test:${port}/live/cam`, peers }
}

describe('our own server is read', () => {
  let clip: EncodedPicture[]
  beforeAll(async () => void (clip = await encodeClip({ seconds: 2 })))
  const slicesOf = ({ nalUnits }: Pick<EncodedPicture, 'nalUnits'>) => nalUnits.filter(isH264Slice)

  test.each(['rtmp', 'rtmps'])('by %s: every picture arrives as it was encoded, with its time', async (scheme) => {
    const tls = createSelfSigned()
    const rig = await createRtmpRig(scheme === 'rtmps' ? { certificate: tls } : {})
    const url = `${scheme}://localhost:${rig.port}/admin/cam`
    const publisher = await openRtmpPublisher(`${url}?api_key=${SECRET}`, {
      connect: { host: '127.0.0.1', ca: tls.cert },
    })
    publisher.write(clip[0]!)
    await until(() => rig.events.some(({ type }) => type === 'live'))

    const dialled: string[] = []
    const reading = await startReading(url, {
      ca: tls.cert,
      dial: async (hostname, port) => (dialled.push(`${hostname}:${port}`), '127.0.0.1'),
    })
    // Whether there is sound is known only after a while.
    for (let sent = 1; !reading.live(); sent = Math.min(sent + 1, clip.length)) {
      if (sent < clip.length) publisher.write(clip[sent]!)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const subscription = await reading.hub.subscribe('admin/camera', ANYBODY)
    const reader = createCollectingReader(subscription.description)
    subscription.start(reader)
    for (const picture of clip) publisher.write({ ...picture, ptsMs: picture.ptsMs + 2_000 })
    const isLast = (unit: Pick<EncodedPicture, 'nalUnits'>) => slicesOf(unit)[0]?.equals(slicesOf(clip.at(-1)!)[0]!)
    await until(() => isLast(reader.pictures.at(-1) ?? clip[0]!) ?? false)
    expect(reader.pictures.slice(-clip.length).map(slicesOf)).toEqual(clip.map(slicesOf))
    expect(reader.reports.length).toBeGreaterThan(0)
    expect(dialled).toEqual([`localhost:${rig.port}`])

    await publisher.close()
    expect(await failureOf(reading.done)).toMatch(/ended the stream: its sender has left/)
  })
})

test('H.265 and sound are read, and the reading ends when it is not wanted any more', async () => {
  const { url, peers } = await startCamera(
    metadata({ videocodecid: 12, audiocodecid: 10 }),
    video(enhancedTag('hvc1', 0, hvcC(), true)),
    audio(aacConfigurationTag()),
    video(enhancedTag('hvc1', 3, withLengths([idr265(1)]), true)),
    audio(aacFrameTag(Buffer.alloc(8))),
  )
  const reading = await startReading(url)
  await until(reading.live)
  const { description } = await reading.hub.subscribe('admin/camera', ANYBODY)
  expect(description.tracks.map(({ codec }) => codec)).toEqual(['h265', 'aac'])
  reading.end()
  await reading.done
  await until(() => peers[0]!.commands.at(-1)!.name === 'deleteStream')
})

describe('what cannot be read is reported as such', () => {
  test.each([
    ['flv1', Buffer.of(0x12, 1, 2)],
    ['vp6f', Buffer.of(0x14, 1, 2)],
    ['av1', enhancedTag('av01', 1, Buffer.alloc(9))],
  ])('%s', async (codec, tag) => {
    const { url } = await startCamera(video(tag), video(tag, 40))
    const { done, live } = await startReading(url)
    await expect(done).rejects.toThrow(`The video is ${codec}; set the sender to H.264 or H.265.`)
    await expect(done).rejects.toBeInstanceOf(RtmpUnreadableError)
    expect(live()).toBe(false)
  })
})

test.each([
  {
    name: 'sound alone',
    bytes: [
      metadata({ audiocodecid: 10 }),
      audio(aacConfigurationTag()),
      ...Array.from({ length: 60 }, (_, i) => audio(aacFrameTag(Buffer.alloc(8)), 21 * i)),
    ],
    sentence: /^There is no video in it\.$/,
  },
  {
    name: 'another codec in mid-stream',
    bytes: [
      metadata({ videocodecid: 7 }),
      video(avcConfigurationTag()),
      video(keyTag(1)),
      video(enhancedTag('hvc1', 0, hvcC(), true), 40),
    ],
    sentence: /^The video codec changed in mid-stream/,
  },
  {
    name: 'a picture in too many parts',
    bytes: [video(avcConfigurationTag()), video(Buffer.concat([Buffer.of(0x17, 1, 0, 0, 0), Buffer.alloc(40_000)]))],
    sentence: /does not speak RTMP as it should: Something was sent in more than/,
  },
])('$name is the end', async ({ bytes, sentence }) => {
  const { url } = await startCamera(...bytes)
  const error = await (await startReading(url)).done.catch((reason: unknown) => reason)
  expect((error as Error).message).toMatch(sentence)
  expect(error).not.toBeInstanceOf(RtmpUnreadableError)
})

test('video without pictures is no stream', async () => {
  const { port } = await startServer(({ name }, peer) => {
    if (name === 'play') setInterval(() => peer.send(setChunkSize(128), video(keyTag(1))), 20).unref()
    return false
  })
  const { done } = await startReading(`rtmp://127.0.0.1:${port}/live/cam`, { silenceMs: 300 })
  expect(await failureOf(done)).toMatch(/sends video, but no pictures can be read from it; check its sender\.$/)
})

test('it ends at once when it is not wanted, whatever it waits for', async () => {
  const aborted = AbortSignal.abort()
  await (
    await startReading('rtmp://camera.test/live/cam', { signal: aborted, dial: () => new Promise(() => {}) })
  ).done
  const ending = new AbortController()
  const port = await listen(() => ending.abort())
  await (
    await startReading(`rtmp://camera.test:${port}/live/cam`, { signal: ending.signal })
  ).done
})

test('what the dial refuses is not dialled, and said as it is', async () => {
  const refusal = new Error('camera.test may not be called.')
  const { done } = await startReading('rtmp://camera.test/live/cam', { dial: async () => Promise.reject(refusal) })
  await expect(done).rejects.toBe(refusal)
})

describe('why there is no stream', () => {
  test.each([
    {
      name: 'nobody listens',
      port: closedPort,
      sentence: /^Nothing answers at camera\.test:\d+: the server is down, or the port is wrong\.$/,
    },
    {
      name: 'there is no such stream',
      port: async () => (await createRtmpRig()).port,
      sentence: /^camera\.test:\d+ has no such stream: nothing is sent to that path, or the path is wrong\. It said: /,
    },
    {
      name: 'it is not RTMP at all',
      port: () => listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      sentence: /^camera\.test:\d+ does not speak RTMP; check the port/,
    },
  ])('$name', async ({ port, sentence }) => {
    const url = `rtmp://camera.test:${await port()}/admin/nothing`
    expect(await failureOf((await startReading(url)).done)).toMatch(sentence)
  })
})
