import { type IncomingMessage, type ServerResponse } from 'node:http'

/** What is between two neighbours only (RFC 9110 §7.6.1), and is said anew on each way. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What the first node has answered already, or made up its mind about: who the client is, and by which name it has called. */
const ANSWERED_HERE: ReadonlySet<string> = new Set([
  'expect',
  'forwarded',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
])

/**
 * The headers of a request as another node gets them, as a list of names and values: as they came, but with the host that the client
 * has asked for. Names that are there twice stay so.
 */
export function requestHeaders(request: IncomingMessage, host: string): string[] {
  const framing = request.headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']
  const upgrade = request.headers.upgrade
  const handshake = upgrade === undefined ? [] : ['connection', 'Upgrade', 'upgrade', upgrade]
  return ['host', host, ...endToEnd(request, ANSWERED_HERE), ...framing, ...handshake]
}

/** Gives an answer the headers of another one, in the place of those that it has. */
export function takeHeaders(reply: ServerResponse, response: IncomingMessage): void {
  for (const name of reply.getHeaderNames()) reply.removeHeader(name)
  const headers = endToEnd(response, new Set())
  for (let i = 0; i < headers.length; i += 2) reply.appendHeader(headers[i]!, headers[i + 1]!)
}

function endToEnd({ rawHeaders, headers }: IncomingMessage, without: ReadonlySet<string>): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const passed: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    if (!HOP_BY_HOP.has(name) && !without.has(name) && !named.includes(name))
      passed.push(rawHeaders[i]!, rawHeaders[i + 1]!)
  }
  return passed
}
