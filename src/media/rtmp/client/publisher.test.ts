import { beforeAll, describe, expect, test } from 'vitest'
import { createCollectingReader } from '../../../../test/builders/collecting-reader.ts'
import { H264, idr, predicted } from '../../../../test/builders/flv-tags.ts'
import { encodeClip } from '../../../../test/builders/h264-clip.ts'
import { failureOf, openPublisherTo } from '../../../../test/support/rtmp-publisher.ts'
import { listen, receive, type ReceiverHabit, type ReceiverPeer } from '../../../../test/support/rtmp-receiver.ts'
import { createRtmpRig, SECRET, until } from '../../../../test/support/rtmp-rig.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { type Authorize } from '../../access.ts'
import { createHub } from '../../hub.ts'
import { MediaRefusal } from '../../refusal.ts'
import { isH264Slice } from '../../rtp/h264-nal-unit.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { writeCommand } from '../wire/command.ts'
import { setChunkSize, userEvent, USER_EVENT, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { MESSAGE } from '../wire/message.ts'
import { openRtmpPublisher } from './publisher.ts'
import { type EncodedPicture } from './video-sender.ts'

const LOOPBACK = { connect: { host: '127.0.0.1' } }
const OPEN = { remoteAddress: '127.0.0.1', protocol: 'rtmp', credentials: { kind: 'none' } } as const
const KEY: EncodedPicture = { nalUnits: [H264.sps, H264.pps, idr(1)], ptsMs: 0, isKeyframe: true }
const slicesOf = ({ nalUnits }: Pick<EncodedPicture, 'nalUnits'>) => nalUnits.filter(isH264Slice)

/** A receiver on a port, and the clients that connected. */
async function startReceiver(habit?: ReceiverHabit) {
  const peers: ReceiverPeer[] = []
  return { peers, port: await listen((socket) => peers.push(receive(socket, habit))) }
}

describe('to our own server', () => {
  let clip: EncodedPicture[]
  beforeAll(async () => void (clip = await encodeClip({ seconds: 2 })))

  test('every picture arrives as it was encoded, with its time', async () => {
    const rig = await createRtmpRig()
    const publisher = await openRtmpPublisher(`rtmp://127.0.0.1:${rig.port}/admin/cam?api_key=${SECRET}`, LOOPBACK)
    publisher.write(clip[0]!)
    await until(() => rig.events.some(({ type }) => type === 'live'))
    const subscription = await rig.hub.subscribe('admin/cam', OPEN)
    const reader = createCollectingReader(subscription.description)
    subscription.start(reader)
    for (const picture of clip.slice(1)) publisher.write(picture)
    await until(() => reader.pictures.length === clip.length)
    expect(reader.pictures.map(slicesOf)).toEqual(clip.map(slicesOf))
    const ticks = reader.pictures.map(({ timestamp }) => (timestamp - reader.pictures[0]!.timestamp) >>> 0)
    expect(ticks).toEqual(clip.map((_, index) => index * 3600))

    await publisher.close()
    await until(() => rig.events.at(-1)?.type === 'gone')
    expect(rig.events.at(-1)).toMatchObject({ reason: 'publisher-left' })
  })

  test('over TLS, for the name in the address, with a certificate that is trusted', async () => {
    const certificate = createSelfSigned()
    const rig = await createRtmpRig({ certificate })
    const path = `:${rig.port}/admin/cam?api_key=${SECRET}`
    const connect = { host: '127.0.0.1', ca: certificate.cert }
    const publisher = await openRtmpPublisher(`rtmps://localhost${path}`, { connect })
    publisher.write(clip[0]!)
    await until(() => rig.events.some(({ type }) => type === 'live'))
    await publisher.close()

    expect(await failureOf(openRtmpPublisher(`rtmps://localhost${path}`, LOOPBACK))).toMatch(/not trusted: self-signed/)
    expect(await failureOf(openRtmpPublisher(`rtmps://127.0.0.1${path}`, { connect }))).toContain('does not match')
  })

  test('a refusal is reported in a sentence, without the key', async () => {
    const rig = await createRtmpRig()
    const sentence = await failureOf(
      openRtmpPublisher(`rtmp://127.0.0.1:${rig.port}/admin/cam?api_key=wrong-key`, LOOPBACK),
    )
    expect(sentence).toMatch(/does not let us publish.*The key is wrong\. \(NetStream\.Publish\.Denied\)$/)
    expect(sentence).not.toContain('wrong-key')
  })

  test('user and password in the address log in', async () => {
    const given: unknown[] = []
    const authorize: Authorize = async (_action, _path, { credentials }) => {
      given.push(credentials)
      if (credentials.kind !== 'password') throw new MediaRefusal('credentials-needed', 'Say who you are.')
      if (credentials.password !== 'p@ss&word') throw new MediaRefusal('credentials-wrong', 'It is another.')
      return { principal: 'me' }
    }
    const rig = await createRtmpRig({ hub: createHub({ authorize, onEvent: () => {} }) })
    const urlWith = (password: string) => `rtmp://me:${password}@localhost:${rig.port}/admin/cam`
    await (await openRtmpPublisher(urlWith('p%40ss%26word'), LOOPBACK)).close()
    expect(given).toEqual([{ kind: 'none' }, { kind: 'password', username: 'me', password: 'p@ss&word' }])

    const sentence = await failureOf(openRtmpPublisher(urlWith('wrong-word'), LOOPBACK))
    expect(sentence).toMatch(/does not let us publish.*It is another\. \(NetStream\.Publish\.Denied\)$/)
    expect(given).toHaveLength(4)
  })
})

test('a server that asks for no password is sent none', async () => {
  const { port, peers } = await startReceiver()
  await (await openRtmpPublisher(`rtmp://me:pass-word@localhost:${port}/live/cam`, LOOPBACK)).close()
  expect(peers).toHaveLength(1)
  expect(peers[0]!.commands[0]!.object).toMatchObject({ app: 'live', tcUrl: `rtmp://localhost:${port}/live` })
  expect(JSON.stringify(peers[0]!.commands)).not.toContain('pass-word')
})

test('neither is one that asks by a challenge, whatever it refuses then', async () => {
  const { port, peers } = await startReceiver(({ name, transactionId, object }, peer) => {
    if (name === 'publish') return (peer.status('error', 'NetStream.Publish.Denied', 'No.'), true)
    if (name !== 'connect' || (object['app'] as string).includes('response=')) return false
    const description = 'authmod=adobe ] : ?reason=needauth&user=me&salt=s&challenge=c'
    const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
    peer.send(setChunkSize(OUTGOING_CHUNK_SIZE), writeCommand(0, '_error', transactionId, null, information))
    return true
  })
  const opening = openRtmpPublisher(`rtmp://me:pass-word@localhost:${port}/live/cam`, LOOPBACK)
  expect(await failureOf(opening)).toMatch(/does not let us publish/)
  expect(peers).toHaveLength(2)
  expect(JSON.stringify(peers.map(({ commands }) => commands))).not.toContain('pass-word')
})

test('what is said, in order, from the beginning to the end', async () => {
  const { port, peers } = await startReceiver()
  const publisher = await openPublisherTo(port)
  publisher.write(KEY)
  await publisher.close()
  const [peer] = peers
  expect(peer!.commands.map(({ name, streamId, values }) => [name, streamId, ...values])).toEqual([
    ['connect', 0],
    ['releaseStream', 0, 'stream-key'],
    ['FCPublish', 0, 'stream-key'],
    ['createStream', 0],
    ['publish', 1, 'stream-key', 'live'],
    ['FCUnpublish', 0, 'stream-key'],
    ['deleteStream', 0, 1],
  ])
  const transactions = peer!.commands.map(({ transactionId }) => transactionId)
  expect(new Set(transactions).size).toBe(transactions.length)
})

describe('while publishing', () => {
  const ended = (publisher: { onEnd(handler: (reason: string) => void): void }) =>
    new Promise<string>((resolve) => publisher.onEnd(resolve))

  test('the reason is reported when the server throws us out', async () => {
    const { port, peers } = await startReceiver()
    const publisher = await openPublisherTo(port)
    peers[0]!.status('error', 'NetStream.Publish.BadName', 'Somebody else came.')
    expect(await ended(publisher)).toContain('It said: Somebody else came.')
    publisher.write(KEY)
    await publisher.close()
  })

  test('the reason is reported when the server goes away, also to late callers', async () => {
    const port = await listen((socket) => {
      receive(socket, ({ name }, peer) => {
        if (name !== 'publish') return false
        peer.status('status', 'NetStream.Publish.Start', '')
        return !!socket.end()
      })
    })
    const publisher = await openPublisherTo(port)
    expect(await ended(publisher)).toMatch(/closed the connection\.$/)
    expect(await ended(publisher)).toMatch(/closed the connection\.$/)
    await publisher.close()
  })

  test('pings are answered, and what was received is acknowledged', async () => {
    const { port, peers } = await startReceiver()
    const publisher = await openPublisherTo(port)
    const { messages } = peers[0]!
    peers[0]!.send(windowAcknowledgementSize(10), userEvent(USER_EVENT.pingRequest, 77))
    const has = (wanted: number) => messages.some(({ typeId }) => typeId === wanted)
    await until(() => has(MESSAGE.userControl) && has(MESSAGE.acknowledgement))
    const pong = messages.find(({ typeId }) => typeId === MESSAGE.userControl)
    expect(pong!.payload.toString('hex')).toBe('00070000004d')
    await publisher.close()
  })

  test('a server that reads slowly misses pictures up to a keyframe, and gets whole messages', async () => {
    let pause = () => {}
    let resume = () => {}
    const peers: ReceiverPeer[] = []
    const port = await listen((socket) => {
      pause = () => void socket.pause()
      resume = () => void socket.resume()
      peers.push(receive(socket))
    })
    const publisher = await openPublisherTo(port, { limits: { maxUnsentBytes: 1_000_000 } })
    pause()
    // More than the operating system takes for itself.
    let sent = 0
    const next = (isKeyframe: boolean) => {
      const slice = isKeyframe ? idr(sent % 256, 100_000) : predicted(sent % 256, 100_000)
      publisher.write({ nalUnits: [H264.sps, H264.pps, slice], ptsMs: 40 * sent++, isKeyframe })
    }
    next(true)
    while (publisher.droppedPictures < 5) {
      next(false)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const videos = () => peers[0]!.messages.filter(({ typeId }) => typeId === MESSAGE.video)
    const delivered = sent - publisher.droppedPictures + 1
    resume()
    await until(() => videos().length === delivered)
    next(false)
    next(true)
    next(false)
    await until(() => videos().length === delivered + 2)
    expect(
      videos()
        .slice(-2)
        .map(({ payload, timestamp }) => [payload[0], timestamp]),
    ).toEqual([
      [0x17, 40 * (sent - 2)],
      [0x27, 40 * (sent - 1)],
    ])
    expect(publisher.droppedPictures).toBe(6)
    await publisher.close()
  })

  test('a server that takes nothing any more is given up', async () => {
    const port = await listen((socket) => {
      receive(socket, ({ name }) => {
        if (name === 'publish') setImmediate(() => socket.pause())
        return false
      })
    })
    const publisher = await openPublisherTo(port, { limits: { maxUnsentBytes: 1_000_000, stalledMs: 200 } })
    const reason = ended(publisher)
    let isOver = false
    void reason.then(() => (isOver = true))
    while (!isOver) {
      publisher.write({ nalUnits: [H264.sps, H264.pps, idr(1, 100_000)], ptsMs: 0, isKeyframe: true })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await reason).toMatch(/has taken nothing for 0\.2 s\.$/)
    await publisher.close()
  })
})
