import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { failureOf, openPublisherTo } from '../../../../test/support/rtmp-publisher.ts'
import {
  closedPort,
  listen,
  receive,
  type ReceiverHabit,
  type ReceiverPeer,
} from '../../../../test/support/rtmp-receiver.ts'
import { writeCommand } from '../wire/command.ts'
import { openRtmpPublisher } from './publisher.ts'

const startReceiver = (habit: ReceiverHabit) => listen((socket) => void receive(socket, habit))

describe('a server that says no', () => {
  const refusing = (command: string, answer: (transactionId: number, peer: ReceiverPeer) => void): ReceiverHabit => {
    return ({ name, transactionId }, peer) => {
      if (name === command) answer(transactionId, peer)
      return name === command
    }
  }
  const rejected = { level: 'error', code: 'NetConnection.Connect.Rejected', description: 'Not today.' }
  test.each<{ name: string; habit: ReceiverHabit; sentence: RegExp }>([
    {
      name: 'to the connection',
      habit: refusing('connect', (id, peer) => peer.send(writeCommand(0, '_error', id, null, rejected))),
      sentence: /rejected the connection\. It said: Not today\. \(NetConnection\.Connect\.Rejected\)$/,
    },
    {
      name: 'to the connection, by a result',
      habit: refusing('connect', (id, peer) => peer.send(writeCommand(0, '_result', id, null, rejected))),
      sentence: /rejected the connection/,
    },
    {
      name: 'to the stream',
      habit: refusing('createStream', (id, peer) => peer.send(writeCommand(0, '_error', id, null, {}))),
      sentence: /rejected the stream\.$/,
    },
    {
      name: 'to the stream, by giving none',
      habit: refusing('createStream', (id, peer) => peer.send(writeCommand(0, '_result', id, null))),
      sentence: /without a stream/,
    },
    {
      name: 'to the name',
      habit: refusing('publish', (_, peer) => peer.status('error', 'NetStream.Publish.BadName', 'stream-key is taken')),
      sentence: /refused the stream name: .* It said: \*\*\* is taken/,
    },
    {
      name: 'to the publishing',
      habit: refusing('publish', (id, peer) => peer.send(writeCommand(1, '_error', id, null, rejected))),
      sentence: /Not today/,
    },
    {
      name: 'and asks us to close',
      habit: refusing('publish', (_, peer) => peer.send(writeCommand(0, 'close', 0, null))),
      sentence: /closed the connection/,
    },
  ])('$name', async ({ habit, sentence }) => {
    const port = await startReceiver(habit)
    expect(await failureOf(openPublisherTo(port))).toMatch(sentence)
  })

  test('to what does not matter is published to', async () => {
    const port = await startReceiver(({ name, transactionId }, peer) => {
      const isOptional = name === 'releaseStream' || name === 'FCPublish'
      if (isOptional) peer.send(writeCommand(0, '_error', transactionId, null, rejected))
      return isOptional
    })
    await (await openPublisherTo(port)).close()
  })

  test.each(['connect', 'createStream', 'publish'])('to %s by going away', async (command) => {
    const port = await listen((socket) => {
      receive(socket, ({ name }) => name === command && !!socket.end())
    })
    expect(await failureOf(openPublisherTo(port))).toMatch(
      new RegExp(`closed the connection instead of answering ${command}\\.$`),
    )
  })
})

describe('a server that is not there, or not quite', () => {
  const quick = { timeouts: { connectMs: 300, answerMs: 300 } }

  test('down', async () => {
    expect(await failureOf(openPublisherTo(await closedPort()))).toMatch(
      /^Nothing answers at 127\.0\.0\.1:\d+: the server is down/,
    )
  })

  test('it accepts and says nothing', async () => {
    const port = await listen(() => {})
    expect(await failureOf(openPublisherTo(port, quick))).toMatch(/did not answer the RTMP handshake within 0\.3 s\.$/)
  })

  test('it accepts and says nothing, where TLS should be', async () => {
    const port = await listen(() => {})
    const opening = openRtmpPublisher(`rtmps://localhost:${port}/a/b`, { connect: { host: '127.0.0.1' }, ...quick })
    expect(await failureOf(opening)).toMatch(/could not be reached within 0\.3 s\.$/)
  })

  test('it stops in the middle of the handshake', async () => {
    const port = await listen((socket) => socket.write(Buffer.concat([Buffer.of(3), randomBytes(2000)])))
    expect(await failureOf(openPublisherTo(port, quick))).toMatch(/did not answer the RTMP handshake/)
  })

  test.each(['connect', 'createStream', 'publish'])('it does not answer %s', async (command) => {
    const port = await startReceiver(({ name }) => name === command)
    expect(await failureOf(openPublisherTo(port, quick))).toMatch(
      new RegExp(`did not answer ${command} within 0\\.3 s\\.$`),
    )
  })

  test('it speaks something else', async () => {
    const port = await listen((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await failureOf(openPublisherTo(port))).toMatch(/does not speak RTMP; check the port/)
  })

  test('it sends a message without end', async () => {
    const huge = Buffer.from('03 000000 ffffff 14 00000000'.replaceAll(' ', ''), 'hex')
    const port = await startReceiver(({ name }, peer) => name === 'createStream' && (peer.send(huge), true))
    expect(await failureOf(openPublisherTo(port))).toContain('A message of 16777215 bytes is more than')
  })

  test('it is not wanted any more', async () => {
    const aborting = new AbortController()
    const port = await listen(() => aborting.abort())
    expect(await failureOf(openPublisherTo(port, { signal: aborting.signal }))).toMatch(/closed|not wanted/)
    expect(await failureOf(openPublisherTo(port, { signal: aborting.signal }))).toContain('not wanted any more')
  })
})
