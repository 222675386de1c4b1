import { randomBytes } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { readAmf0 } from '../../src/media/rtmp/wire/amf0-reader.ts'
import { writeAmf0 } from '../../src/media/rtmp/wire/amf0-writer.ts'
import { type AmfObject, type AmfValue } from '../../src/media/rtmp/wire/amf0.ts'
import { createChunkParser } from '../../src/media/rtmp/wire/chunk-parser.ts'
import { MESSAGE, type RtmpMessage } from '../../src/media/rtmp/wire/message.ts'
import { pushAll } from './chunk-messages.ts'

/** A small RTMP client that does what the test says, right or wrong. */
export interface RtmpClient {
  /** Everything that came so far, and has not been waited for. */
  readonly messages: RtmpMessage[]
  send(data: Buffer): void
  message(typeId: number, payload: Buffer, timestamp?: number, streamId?: number): void
  command(name: string, transactionId: number, ...values: AmfValue[]): void
  /** The first message that passes the test; those before it are dropped. */
  waitFor(test: (message: RtmpMessage) => boolean): Promise<RtmpMessage>
  /** The values of the next command with this name. */
  answer(name: string): Promise<AmfValue[]>
  /** The code of the next `onStatus`, with its description. */
  status(): Promise<{ code: string; description: string }>
  connect(app: string, extra?: AmfObject): Promise<AmfValue[]>
  /** Connects, creates a stream and asks to publish; answers the first status. */
  publish(app: string, name: string): Promise<{ code: string; description: string }>
  play(app: string, name: string): Promise<{ code: string; description: string }>
  pauseReading(): void
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>
  close(): void
}

export const CLIENT_GREETING = Buffer.concat([Buffer.of(3), Buffer.alloc(8), randomBytes(1528), randomBytes(1536)])

export interface RtmpClientOptions {
  readonly port: number
  readonly isTls?: boolean
  /** False leaves the handshake to the test. */
  readonly greets?: boolean
}

export async function createRtmpClient({ port, isTls, greets = true }: RtmpClientOptions): Promise<RtmpClient> {
  const socket: Socket = isTls
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connectTcp({ port, host: '127.0.0.1' })
  await new Promise((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', resolve)
    socket.once('error', reject)
  })
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const parser = createChunkParser()
  const messages: RtmpMessage[] = []
  let greetingLeft = 1 + 2 * 1536
  let wake = () => {}
  let isClosed = false
  void closed.then(() => {
    isClosed = true
    wake()
  })
  socket.on('data', (data: Buffer) => {
    const skipped = Math.min(greetingLeft, data.length)
    greetingLeft -= skipped
    messages.push(...pushAll(parser, data.subarray(skipped)))
    wake()
  })
  if (greets) socket.write(CLIENT_GREETING)

  const client: RtmpClient = {
    messages,
    closed,
    send: (data) => void socket.write(data),
    message: (typeId, payload, timestamp = 0, streamId = 1) =>
      client.send(clientMessage(typeId, payload, timestamp, streamId)),
    command: (name, transactionId, ...values) =>
      client.message(MESSAGE.commandAmf0, writeAmf0(name, transactionId, ...values), 0, name === 'connect' ? 0 : 1),
    async waitFor(test) {
      for (;;) {
        while (messages.length > 0) {
          const message = messages.shift()!
          if (test(message)) return message
        }
        if (isClosed) throw new Error('The server has closed the connection.')
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    async answer(name) {
      const isIt = (message: RtmpMessage) =>
        message.typeId === MESSAGE.commandAmf0 && readAmf0(message.payload)[0] === name
      return readAmf0((await client.waitFor(isIt)).payload)
    },
    async status() {
      const [, , , information] = await client.answer('onStatus')
      return information as unknown as { code: string; description: string }
    },
    connect(app, extra = {}) {
      client.command('connect', 1, { app, tcUrl: `rtmp://127.0.0.1/${app}`, ...extra })
      return client.answer('_result')
    },
    publish: (app, name) => begin('publish', app, name, 'live'),
    play: (app, name) => begin('play', app, name),
    pauseReading: () => void socket.pause(),
    close: () => void socket.destroy(),
  }
  return client

  async function begin(command: string, app: string, name: string, ...values: AmfValue[]) {
    await client.connect(app)
    client.command('createStream', 2, null)
    await client.answer('_result')
    client.command(command, 3, null, name, ...values)
    return client.status()
  }
}

/** A message in chunks of 128 bytes, each message with a full header. */
export function clientMessage(typeId: number, payload: Buffer, timestamp = 0, streamId = 1): Buffer {
  const isExtended = timestamp >= 0xffffff
  const extended = Buffer.alloc(isExtended ? 4 : 0)
  if (isExtended) extended.writeUInt32BE(timestamp)
  const header = Buffer.alloc(12)
  header[0] = 4
  header.writeUIntBE(isExtended ? 0xffffff : timestamp, 1, 3)
  header.writeUIntBE(payload.length, 4, 3)
  header[7] = typeId
  header.writeUInt32LE(streamId, 8)
  const parts = [header, extended, payload.subarray(0, 128)]
  for (let at = 128; at < payload.length; at += 128)
    parts.push(Buffer.of(0xc4), extended, payload.subarray(at, at + 128))
  return Buffer.concat(parts)
}
