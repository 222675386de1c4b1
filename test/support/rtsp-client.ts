import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type InterleavedFrame, type RtspResponse } from '../../src/media/rtsp/wire/message.ts'
import { createMessageParser } from '../../src/media/rtsp/wire/message-parser.ts'

/** A client that does just what the test says, one request after the other. */
export interface RtspClient {
  readonly socket: Socket
  request(method: string, url: string, headers?: Record<string, string>, body?: string): Promise<RtspResponse>
  /** The next answer that comes, asked for or not. */
  response(): Promise<RtspResponse>
  /** Resolves with the next `count` interleaved frames. */
  frames(count: number): Promise<InterleavedFrame[]>
  sendFrame(channel: number, data: Buffer): void
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>
  close(): void
}

export async function connectRtsp(port: number, socket = connect(port, '127.0.0.1')): Promise<RtspClient> {
  const parser = createMessageParser()
  const responses = createInbox<RtspResponse>()
  const frames = createInbox<InterleavedFrame>()
  let cseq = 0
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    parser.push(chunk)
    for (let message = parser.next(); message; message = parser.next()) {
      if (message.kind === 'response') responses.put(message)
      if (message.kind === 'frame') frames.put(message)
    }
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      responses.fail(new Error('The server closed the connection.'))
      frames.fail(new Error('The server closed the connection.'))
      resolve()
    })
  })
  await once(socket, 'encrypted' in socket ? 'secureConnect' : 'connect')

  return {
    socket,
    async request(method, url, headers = {}, body = '') {
      const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${++cseq}`]
      for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
      if (body) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
      return responses.take()
    },
    response: () => responses.take(),
    async frames(count) {
      const taken: InterleavedFrame[] = []
      while (taken.length < count) taken.push(await frames.take())
      return taken
    },
    sendFrame(channel, data) {
      const header = Buffer.from([0x24, channel, data.length >> 8, data.length & 0xff])
      socket.write(Buffer.concat([header, data]))
    },
    closed,
    close: () => socket.destroy(),
  }
}

function createInbox<T>() {
  const items: T[] = []
  const takers: { resolve: (item: T) => void; reject: (error: Error) => void }[] = []
  let failure: Error | undefined
  return {
    put(item: T) {
      const taker = takers.shift()
      if (taker) taker.resolve(item)
      else items.push(item)
    },
    take(): Promise<T> {
      if (items.length > 0) return Promise.resolve(items.shift()!)
      if (failure) return Promise.reject(failure)
      return new Promise((resolve, reject) => takers.push({ resolve, reject }))
    },
    fail(error: Error) {
      failure = error
      for (const taker of takers.splice(0)) taker.reject(error)
    },
  }
}
