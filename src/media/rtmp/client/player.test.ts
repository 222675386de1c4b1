import { expect, test } from 'vitest'
import { aacFrameTag, avcConfigurationTag } from '../../../../test/builders/flv-tags.ts'
import { createSelfSigned } from '../../../../test/builders/self-signed.ts'
import { clientMessage } from '../../../../test/support/rtmp-client.ts'
import { endOf, openPlayerTo, startServer } from '../../../../test/support/rtmp-player.ts'
import { failureOf } from '../../../../test/support/rtmp-publisher.ts'
import { createRtmpRig, deltaTag, startPublishing, until } from '../../../../test/support/rtmp-rig.ts'
import { createDeferred } from '../../../core/deferred.ts'
import { writeAmf0 } from '../wire/amf0-writer.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { setChunkSize, userEvent, USER_EVENT, windowAcknowledgementSize } from '../wire/control-messages.ts'
import { writeCommand } from '../wire/command.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { openRtmpPlayer } from './player.ts'
import { openRtmpPublisher } from './publisher.ts'

const VIDEO = clientMessage(MESSAGE.video, avcConfigurationTag())
const AUDIO = clientMessage(MESSAGE.audio, aacFrameTag(Buffer.alloc(8)))
/** The messages are cut as their maker cuts them. */
const CUT = setChunkSize(128)
const kindsOf = (messages: readonly RtmpMessage[]) => messages.map(({ typeId }) => typeId)

test('what our own server has is played, with its metadata and times, until its publisher leaves', async () => {
  const rig = await createRtmpRig()
  const publisher = await startPublishing(rig)
  const messages: RtmpMessage[] = []
  const player = await openRtmpPlayer(`rtmp://127.0.0.1:${rig.port}/admin/cam`, {
    connect: { host: '127.0.0.1' },
    silenceMs: 5_000,
    sink: (message) => void messages.push(message),
  })
  const ended = endOf(player)
  await until(() => messages.length >= 3)
  publisher.message(MESSAGE.video, deltaTag(2), 40)
  publisher.message(MESSAGE.video, deltaTag(3), 80)
  await until(() => messages.length >= 5)
  expect(kindsOf(messages)).toEqual([MESSAGE.dataAmf0, ...Array<number>(4).fill(MESSAGE.video)])
  expect(messages.slice(2).map(({ payload }) => payload.at(-1))).toEqual([1, 2, 3])
  const shownAt = messages.slice(2).map(({ timestamp, payload }) => timestamp + payload.readIntBE(2, 3))
  expect(shownAt.map((ms) => ms - shownAt[0]!)).toEqual([0, 40, 80])
  publisher.close()
  expect(await ended).toMatch(/ended the stream: its sender has left/)
  await player.close()
})

test('over TLS, for the name in the address, with a certificate that is trusted', async () => {
  const tls = createSelfSigned()
  const rig = await createRtmpRig({ certificate: tls })
  const options = { silenceMs: 5_000, sink: () => {} }
  const url = `rtmps://localhost:${rig.port}/admin/nothing`
  const connect = { host: '127.0.0.1', ca: tls.cert }
  expect(await failureOf(openRtmpPlayer(url, { ...options, connect }))).toMatch(/has no such stream/)
  expect(await failureOf(openRtmpPlayer(url, { ...options, connect: { host: '127.0.0.1' } }))).toMatch(
    /cannot be trusted\. .*self-signed/,
  )
  const plain = openRtmpPlayer(url.replace('rtmps', 'rtmp'), { ...options, connect, timeouts: { answerMs: 2_000 } })
  expect(await failureOf(plain)).toMatch(/does not speak RTMP; check|closed the connection instead|broke/)
})

test('TLS with a server that does not speak it', async () => {
  const { port } = await createRtmpRig()
  const options = { connect: { host: '127.0.0.1' }, silenceMs: 5_000, sink: () => {} }
  expect(await failureOf(openRtmpPlayer(`rtmps://localhost:${port}/a/b`, options))).toMatch(
    /does not speak TLS|closed|broke the connection off/,
  )
})

test('what is said, in order, from the beginning to the end; the password is no part of it', async () => {
  const { port, peers } = await startServer()
  const player = await openRtmpPlayer(`rtmp://me:pass-word@localhost:${port}/live/cam?key=v`, {
    connect: { host: '127.0.0.1' },
    silenceMs: 5_000,
    sink: () => {},
  })
  await player.close()
  const { commands, messages } = peers[0]!
  expect(commands.map(({ name, streamId, values }) => [name, streamId, ...values])).toEqual([
    ['connect', 0],
    ['createStream', 0],
    ['play', 1, 'cam?key=v', -2000],
    ['deleteStream', 0, 1],
  ])
  expect(commands[0]!.object).toMatchObject({ app: 'live', tcUrl: `rtmp://localhost:${port}/live` })
  const buffer = messages.find(({ typeId }) => typeId === MESSAGE.userControl)
  expect(buffer!.payload.toString('hex')).toBe('000300000001000003e8')
})

test('a server that sends the stream instead of an answer is played', async () => {
  const { port } = await startServer(({ name }, peer) => name === 'play' && (peer.send(CUT, VIDEO), true))
  const { opening, messages } = openPlayerTo(port, { timeouts: { answerMs: 300 } })
  const player = await opening
  expect(kindsOf(messages)).toEqual([MESSAGE.video])
  await player.close()
})

test.each([
  ['status', 'NetStream.Play.UnpublishNotify', /ended the stream: its sender has left/],
  ['status', 'NetStream.Play.Stop', /ended the stream/],
  ['status', 'NetStream.Play.Complete', /ended the stream/],
  ['error', 'NetStream.Play.StreamNotFound', /has no such stream/],
  ['error', 'Some.Thing', /rejected the stream/],
] as const)('%s %s is the end', async (level, code, sentence) => {
  const { port, peers } = await startServer()
  const player = await openPlayerTo(port).opening
  peers[0]!.status('status', 'NetStream.Play.Reset', '')
  peers[0]!.status(level, code, 'Why.')
  const reason = await endOf(player)
  expect(reason).toMatch(sentence)
  expect(reason).toContain(`It said: Why. (${code})`)
  await player.close()
})

test('pings are answered, and what was received is acknowledged, whatever window is asked for', async () => {
  const { port, peers } = await startServer()
  const player = await openPlayerTo(port).opening
  const [peer] = peers
  peer!.send(windowAcknowledgementSize(0xffffffff), windowAcknowledgementSize(0), userEvent(USER_EVENT.pingRequest, 77))
  const has = (typeId: number, hex: string) =>
    peer!.messages.some((message) => message.typeId === typeId && message.payload.toString('hex').startsWith(hex))
  await until(() => has(MESSAGE.userControl, '00070000004d') && has(MESSAGE.acknowledgement, ''))
  await player.close()
})

test('while the sink works, nothing more is read; what came meanwhile follows in its order', async () => {
  const { port, peers } = await startServer()
  const work = createDeferred()
  const taken: RtmpMessage[] = []
  const sink = (message: RtmpMessage) => {
    taken.push(message)
    return taken.length === 1 ? work.promise : undefined
  }
  const player = await openPlayerTo(port, { sink, silenceMs: 200 }).opening
  let hasEnded = false
  player.onEnd(() => (hasEnded = true))
  peers[0]!.send(CUT, VIDEO, AUDIO, VIDEO)
  await until(() => taken.length > 0)
  // Longer than silence may last: it is ours.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect([taken.length, hasEnded]).toEqual([1, false])
  work.resolve()
  await until(() => taken.length === 3)
  expect(kindsOf(taken)).toEqual([MESSAGE.video, MESSAGE.audio, MESSAGE.video])
  await player.close()
})

test('what the sink throws ends the connection', async () => {
  const { port, peers } = await startServer()
  const sink = () => {
    throw new Error('I cannot take it.')
  }
  const player = await openPlayerTo(port, { sink }).opening
  peers[0]!.send(CUT, VIDEO)
  expect(await endOf(player)).toContain('I cannot take it.')
  await player.close()
})

test('metadata and aggregates are handed on', async () => {
  const { port, peers } = await startServer()
  const { opening, messages } = openPlayerTo(port)
  const player = await opening
  peers[0]!.send(CUT, clientMessage(MESSAGE.dataAmf0, writeAmf0('onMetaData', { width: 640 })), VIDEO)
  await until(() => messages.length === 2)
  await player.close()
  peers[0]!.send(VIDEO)
  expect(kindsOf(messages)).toEqual([MESSAGE.dataAmf0, MESSAGE.video])
})

/** Asks for the user, then for the answer to a challenge, and lets in who gives any; each on a connection of its own. */
function startAskingServer(isRight: boolean) {
  return startServer(({ name, transactionId, object }, peer) => {
    const app = object['app'] as string
    if (name !== 'connect' || (isRight && app.includes('response='))) return false
    const asks = app.includes('user=') ? '?reason=needauth&user=me&salt=s&challenge=c' : 'code=403 need auth;'
    const description = `[ AccessManager.Reject ] : [ authmod=adobe ] : ${asks}`
    const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
    peer.send(
      setChunkSize(OUTGOING_CHUNK_SIZE),
      writeCommand(0, '_error', transactionId, null, information),
      writeCommand(0, 'close', 0, null),
    )
    return true
  })
}

test.each([
  [
    'player',
    (url: string) => openRtmpPlayer(url, { connect: { host: '127.0.0.1' }, silenceMs: 5_000, sink: () => {} }),
  ],
  ['publisher', (url: string) => openRtmpPublisher(url, { connect: { host: '127.0.0.1' } })],
])('a %s answers a challenge, on a third connection at the latest', async (_, open) => {
  const { port, peers } = await startAskingServer(true)
  await (await open(`rtmp://me:password@localhost:${port}/live/cam`)).close()
  expect(peers.map(({ commands }) => commands[0]!.object['app'])).toEqual([
    'live',
    'live?authmod=adobe&user=me',
    expect.stringMatching(/^live\?authmod=adobe&user=me&challenge=[0-9a-f]{8}&response=.{24}$/),
  ])

  const strict = await startAskingServer(false)
  expect(await failureOf(open(`rtmp://me:password@localhost:${strict.port}/live/cam`))).toMatch(/refuses the user or/)
  expect(strict.peers).toHaveLength(3)
  expect(await failureOf(open(`rtmp://localhost:${strict.port}/live/cam`))).toMatch(/wants a user name and a password/)
})
