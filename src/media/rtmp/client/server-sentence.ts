import { maskSecrets } from '../../../core/mask-secrets.ts'
import { type AmfObject, type AmfValue, isAmfObject } from '../wire/amf0.ts'

/** Why there is no stream, as a sentence for its owner. */
export class RtmpClientError extends Error {
  override readonly name = 'RtmpClientError'
}

const CODES: Readonly<Record<string, string>> = {
  'NetConnection.Connect.Rejected': 'refused the connection',
  'NetConnection.Connect.Failed': 'refused the connection',
  'NetConnection.Connect.InvalidApp': 'has no such application',
  'NetConnection.Connect.AppShutdown': 'is shutting down',
  'NetConnection.Connect.Closed': 'closed the connection',
  'NetStream.Publish.BadName': 'refused the stream name: it is wrong, or somebody publishes to it already',
  'NetStream.Publish.Denied': 'does not let us publish: the key or the name may be wrong',
  'NetStream.Publish.Failed': 'could not take the stream',
  'NetStream.Unpublish.Success': 'ended the stream',
}
const MAX_DESCRIPTION = 200

/** What a server says of a command or a stream (RTMP 1.0 §7.2). */
export function readInformation(values: readonly AmfValue[]): AmfObject {
  return values.find((value) => isAmfObject(value)) ?? {}
}

/** A server's refusal; what it repeats of keys and passwords is masked. */
export function sayRefusal(label: string, information: AmfObject, secrets: readonly string[] = []): string {
  const code = text(information['code'], secrets)
  const description = text(information['description'], secrets)
  const said = [description, code && `(${code})`].filter(Boolean).join(' ')
  return `${label} ${CODES[code] ?? 'refused the stream'}${said ? `. It said: ${said}` : '.'}`
}

function text(value: AmfValue, secrets: readonly string[]): string {
  if (typeof value !== 'string') return ''
  const hidden = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), value)
  const clean = maskSecrets(hidden.replace(/[\u0000-\u001f\u007f]+/g, ' ')).trim()
  return clean.length > MAX_DESCRIPTION ? `${clean.slice(0, MAX_DESCRIPTION)}…` : clean
}

/** An error of the socket. */
export function sayFailure(label: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return `Nothing answers at ${label}: the server is down, or the port is wrong.`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${label} broke the connection off.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${label} cannot be reached: there is no way to it.`
    default:
      return `The connection to ${label} failed: ${error.message}.`
  }
}
