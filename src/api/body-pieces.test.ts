import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchPieces } from './body-pieces.ts'

describe('pieces of a body', () => {
  /** Reads what comes, and answers with how much that was. */
  const server = createServer((request, response) => {
    watchPieces(request, () => request.socket.destroy())
    let bytes = 0
    request.on('data', ({ length }: Buffer) => (bytes += length))
    request.on('end', () => response.end(`read ${bytes}`))
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  function send(pieces: readonly string[]): Promise<string> {
    const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
    return new Promise((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      let heard = ''
      socket.on('data', (data) => (heard += data.toString()))
      socket.on('error', () => {})
      socket.on('close', () => resolve(heard))
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`${chunks}0\r\n\r\n`)
    })
  }

  test.each([
    { what: 'a thousand small pieces', pieces: Array.from({ length: 999 }, () => 'a'), answer: 'read 999' },
    {
      what: 'many large ones',
      pieces: Array.from({ length: 5_000 }, () => 'a'.repeat(1_000)),
      answer: 'read 5000000',
    },
  ])('$what are read', async ({ pieces, answer }) => expect(await send(pieces)).toContain(answer))

  test('thousands of small ones end the connection', async () => {
    expect(await send(Array.from({ length: 60_000 }, () => 'a'))).toBe('')
  })
})
