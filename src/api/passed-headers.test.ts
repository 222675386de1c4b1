import { type IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { requestHeaders, takeHeaders } from './passed-headers.ts'

function message(...rawHeaders: string[]): IncomingMessage {
  const headers: Record<string, string> = {}
  for (let i = 0; i < rawHeaders.length; i += 2) headers[rawHeaders[i]!.toLowerCase()] = rawHeaders[i + 1]!
  return { rawHeaders, headers } as unknown as IncomingMessage
}

test.each([
  {
    name: 'what is for the handler goes along, twice where it came twice',
    came: ['Host', 'a', 'api_key', 'ak_1', 'Cookie', 'a=1', 'Cookie', 'b=2', 'Range', 'bytes=0-1'],
    goes: ['host', 'us', 'api_key', 'ak_1', 'Cookie', 'a=1', 'Cookie', 'b=2', 'Range', 'bytes=0-1'],
  },
  {
    name: 'what is between neighbours does not, nor what Connection names',
    came: ['Host', 'a', 'Connection', 'keep-alive, X-Mine', 'X-Mine', '1', 'Keep-Alive', 'timeout=5', 'TE', 'trailers'],
    goes: ['host', 'us'],
  },
  {
    name: 'who the client is has been found out by then, and whether it may send its body',
    came: ['X-Forwarded-For', '10.0.0.1', 'x-forwarded-host', 'evil', 'Forwarded', 'for=x', 'Expect', '100-continue'],
    goes: ['host', 'us'],
  },
  {
    name: 'a body in chunks stays one',
    came: ['Transfer-Encoding', 'chunked'],
    goes: ['host', 'us', 'transfer-encoding', 'chunked'],
  },
  {
    name: 'the handshake of a websocket stays one',
    came: ['Connection', 'keep-alive, Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Key', 'k'],
    goes: ['host', 'us', 'Sec-WebSocket-Key', 'k', 'connection', 'Upgrade', 'upgrade', 'websocket'],
  },
])('$name', ({ came, goes }) => expect(requestHeaders(message(...came), 'us')).toEqual(goes))

test('an answer has all that the other one had but what is between neighbours, and nothing else', () => {
  const reply = new ServerResponse({ method: 'GET' } as IncomingMessage)
  reply.setHeader('x-frame-options', 'of this node')
  const came = message('Content-Length', '5', 'Connection', 'close', 'Set-Cookie', 'a', 'Set-Cookie', 'b')
  takeHeaders(reply, came)
  expect(reply.getHeaders()).toEqual({ 'content-length': '5', 'set-cookie': ['a', 'b'] })
})
