import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aacFrameTag, avcConfigurationTag } from '../../../../test/builders/flv-tags.ts'
import { clientMessage } from '../../../../test/support/rtmp-client.ts'
import { endOf, openPlayerTo, startServer } from '../../../../test/support/rtmp-player.ts'
import { failureOf } from '../../../../test/support/rtmp-publisher.ts'
import { closedPort, listen, receive, type ReceiverPeer } from '../../../../test/support/rtmp-receiver.ts'
import { setChunkSize, userEvent, USER_EVENT } from '../wire/control-messages.ts'
import { writeCommand } from '../wire/command.ts'
import { MESSAGE } from '../wire/message.ts'
import { type RtmpPlayerOptions } from './player.ts'

const QUICK = { timeouts: { connectMs: 300, answerMs: 300 }, silenceMs: 300 }
const CUT = setChunkSize(128)
const VIDEO = clientMessage(MESSAGE.video, avcConfigurationTag())
const AUDIO = clientMessage(MESSAGE.audio, aacFrameTag(Buffer.alloc(8)))

const failure = (port: number, options: Partial<RtmpPlayerOptions> = QUICK) =>
  failureOf(openPlayerTo(port, options).opening)

describe('a server that is not there, or not quite', () => {
  test('down', async () => expect(await failure(await closedPort())).toMatch(/^Nothing answers at 127\.0\.0\.1:\d+/))

  test('it accepts and says nothing', async () => {
    expect(await failure(await listen(() => {}))).toMatch(/did not answer the RTMP handshake within 0\.3 s\.$/)
  })

  test('it stops in the middle of the handshake', async () => {
    const port = await listen((socket) => socket.write(Buffer.concat([Buffer.of(3), randomBytes(2000)])))
    expect(await failure(port)).toMatch(/did not answer the RTMP handshake/)
  })

  test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'RTSP/1.0 400 Bad Request\r\n\r\n', '\x15\x03\x01\x00\x02\x02\x46'])(
    'it answers %j',
    async (text) => {
      const port = await listen((socket) => socket.write(text, 'latin1'))
      expect(await failure(port)).toMatch(
        /^127\.0\.0\.1:\d+ does not speak RTMP; check the port, and whether the address begins with rtmp:\/\/ or rtmps:\/\/\.$/,
      )
    },
  )

  test.each(['connect', 'createStream', 'play'])('it does not answer %s, whatever else it sends', async (command) => {
    const port = await listen((socket) => {
      receive(socket, ({ name }, peer) => {
        if (name === command) flood(peer, () => userEvent(USER_EVENT.pingRequest, 1), socket)
        return name === command
      })
    })
    expect(await failure(port)).toMatch(new RegExp(`did not answer ${command} within 0\\.3 s\\.$`))
  })

  test.each([-1, 0.5, 2 ** 32, NaN, 'one'])('it answers createStream with %j', async (streamId) => {
    const port = await listen((socket) => {
      receive(socket, ({ name, transactionId }, peer) => {
        if (name === 'createStream') peer.send(writeCommand(0, '_result', transactionId, null, streamId))
        return name === 'createStream'
      })
    })
    expect(await failure(port)).toMatch(/answered createStream without a stream\.$/)
  })

  test.each(['connect', 'createStream', 'play'])('it leaves at %s', async (command) => {
    const port = await listen((socket) => void receive(socket, ({ name }) => name === command && !!socket.end()))
    expect(await failure(port)).toMatch(new RegExp(`closed the connection instead of answering ${command}\\.$`))
  })

  test.each([
    [
      'NetStream.Play.StreamNotFound',
      /has no such stream: nothing is sent to that path, or the path is wrong\. It said: No \*\*\*\. \(NetStream\.Play\.StreamNotFound\)$/,
    ],
    [
      'NetStream.Play.Failed',
      /does not let us play the stream: .* it needs a secret that is missing or wrong; .*api_key\. It said/,
    ],
  ])('it answers %s', async (code, sentence) => {
    const { port } = await startServer(({ name }, peer) => {
      if (name === 'play') peer.status('error', code, 'No stream-key.')
      return name === 'play'
    })
    expect(await failure(port)).toMatch(sentence)
  })

  test('it answers play by an error', async () => {
    const { port } = await startServer(({ name, transactionId }, peer) => {
      if (name === 'play') peer.send(writeCommand(1, '_error', transactionId, null, { description: 'Not you.' }))
      return name === 'play'
    })
    expect(await failure(port)).toMatch(/rejected the stream\. It said: Not you\.$/)
  })

  test('it is not wanted any more', async () => {
    const aborting = new AbortController()
    const port = await listen(() => aborting.abort())
    expect(await failure(port, { signal: aborting.signal })).toMatch(/closed|not wanted/)
  })
})

interface Ending {
  readonly name: string
  readonly bytes: readonly Buffer[]
  readonly reason: RegExp
  readonly silenceMs?: number
}

describe('a server that begins well ends with a sentence when', () => {
  async function endAfter(bytes: readonly Buffer[], silenceMs = QUICK.silenceMs): Promise<string> {
    const { port, peers } = await startServer()
    const player = await openPlayerTo(port, { ...QUICK, silenceMs }).opening
    peers[0]!.send(...bytes)
    const reason = await endOf(player)
    await player.close()
    return reason
  }
  const header = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

  test.each<Ending>([
    { name: 'it sends nothing', bytes: [], reason: /has sent nothing for 0\.3 s; check that its sender is running\.$/ },
    { name: 'only sound comes', bytes: [CUT, AUDIO], reason: /has sent no video for 0\.3 s, only sound\.$/ },
    { name: 'video stops', bytes: [CUT, VIDEO, AUDIO], reason: /has sent no video for 0\.3 s, only sound\.$/ },
    { name: 'everything stops', bytes: [CUT, AUDIO, VIDEO], reason: /has sent nothing for 0\.3 s/ },
    { name: 'a message is never finished', bytes: [CUT, VIDEO.subarray(0, -1)], reason: /has sent nothing for 0\.3 s/ },
    {
      name: 'a message is too long',
      bytes: [header('06 000000 ffffff 09 01000000')],
      reason: /A message of 16777215 bytes is more than 8388608\.$/,
    },
    { name: 'chunks have no size', bytes: [setChunkSize(0)], reason: /A chunk can't have 0 bytes\.$/ },
    {
      name: 'chunks are of nonsense',
      bytes: [setChunkSize(0xffffffff)],
      reason: /A chunk can't have 4294967295 bytes/,
    },
    { name: 'a chunk continues nothing', bytes: [header('c9')], reason: /refers to a message that never was\.$/ },
    {
      name: 'there are too many chunk streams',
      bytes: [
        setChunkSize(1),
        ...Array.from({ length: 70 }, (_, id) =>
          Buffer.concat([Buffer.of(0, id), header('000000 000010 09 01000000 00')]),
        ),
      ],
      reason: /There are too many chunk streams\.$/,
    },
    {
      name: 'messages are begun and not ended',
      bytes: [
        setChunkSize(1_000_000),
        ...Array.from({ length: 20 }, (_, id) =>
          Buffer.concat([Buffer.of(0x08 + id), header('000000 7a1200 09 01000000'), Buffer.alloc(1_000_000)]),
        ),
      ],
      reason: /Too many messages were begun and not ended\.$/,
      // Twenty megabytes take a busy machine a while.
      silenceMs: 10_000,
    },
  ])('$name', async ({ bytes, reason, silenceMs }) => expect(await endAfter(bytes, silenceMs)).toMatch(reason))

  test('it floods us with pings and never reads the answers', async () => {
    let stop = () => {}
    const port = await listen((socket) => {
      const peer = receive(socket, ({ name }) => {
        if (name !== 'play') return false
        setImmediate(() => {
          socket.pause()
          stop = flood(peer, () => userEvent(USER_EVENT.pingRequest, 1), socket)
        })
        return false
      })
    })
    const player = await openPlayerTo(port, QUICK).opening
    expect(await endOf(player)).toMatch(/has sent nothing for 0\.3 s/)
    stop()
    await player.close()
  })

  test('it floods us with statuses of nonsense', async () => {
    let stop = () => {}
    const port = await listen((socket) => {
      const peer = receive(socket, ({ name }) => {
        const status = writeCommand(1, 'onStatus', 0, null, { level: 7, code: { a: [1, 2] } as never })
        if (name === 'play') setImmediate(() => (stop = flood(peer, () => status, socket)))
        return false
      })
    })
    const player = await openPlayerTo(port, QUICK).opening
    expect(await endOf(player)).toMatch(/has sent nothing for 0\.3 s/)
    stop()
    await player.close()
  })
})

/** Sends without pause, as fast as they are taken, until the socket closes. */
function flood(
  peer: ReceiverPeer,
  make: () => Buffer,
  socket: { readonly destroyed: boolean; readonly writableNeedDrain: boolean },
) {
  let isOver = false
  const some = Buffer.concat(Array.from({ length: 1000 }, make))
  const send = () => {
    if (isOver || socket.destroyed) return
    if (!socket.writableNeedDrain) peer.send(some)
    setImmediate(send)
  }
  send()
  return () => void (isOver = true)
}
