import { maskSecrets } from '../../../core/mask-secrets.ts'
import { certificateFailure, connectionFailureKind, failureDetail } from '../../../outbound/connection-failure.ts'
import { type AmfObject, type AmfValue, isAmfObject } from '../wire/amf0.ts'

/** Why there is no stream, as a sentence for its owner. */
export class RtmpClientError extends Error {
  override readonly name: string = 'RtmpClientError'
}

/** The server said no to a command. */
export class RtmpRefusal extends RtmpClientError {
  override readonly name = 'RtmpRefusal'
  readonly code: string
  /** In its own words, of any length. */
  readonly description: string

  constructor(label: string, information: AmfObject, secrets: readonly string[]) {
    super(sayRefusal(label, information, secrets))
    const { code, description } = information
    this.code = typeof code === 'string' ? code : ''
    this.description = typeof description === 'string' ? description : ''
  }
}

/** There is a stream, but nobody could make pictures of it: trying again does not help before its sender is set differently. */
export class RtmpUnreadableError extends RtmpClientError {
  override readonly name = 'RtmpUnreadableError'
}

const CODES: Readonly<Record<string, string>> = {
  'NetConnection.Connect.Rejected': 'rejected the connection',
  'NetConnection.Connect.Failed': 'rejected the connection',
  'NetConnection.Connect.InvalidApp': 'has no such application',
  'NetConnection.Connect.AppShutdown': 'is shutting down',
  'NetConnection.Connect.Closed': 'closed the connection',
  'NetStream.Publish.BadName': 'refused the stream name: it is wrong, or somebody publishes to it already',
  'NetStream.Publish.Denied': 'does not let us publish: the key or the name may be wrong',
  'NetStream.Publish.Failed': 'could not take the stream',
  'NetStream.Unpublish.Success': 'ended the stream',
  'NetStream.Play.StreamNotFound': 'has no such stream: nothing is sent to that path, or the path is wrong',
  'NetStream.Play.Failed':
    'does not let us play the stream: nothing is sent to that path, or it needs a secret that is missing or wrong; an Aerie takes a key as the address’s parameter api_key',
  'NetStream.Play.UnpublishNotify': 'ended the stream: its sender has left',
  'NetStream.Play.Stop': 'ended the stream',
  'NetStream.Play.Complete': 'ended the stream',
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
  return `${label} ${CODES[code] ?? 'rejected the stream'}${said ? `. It said: ${said}` : '.'}`
}

function text(value: AmfValue, secrets: readonly string[]): string {
  if (typeof value !== 'string') return ''
  const hidden = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), value)
  const clean = maskSecrets(hidden.replace(/[\u0000-\u001f\u007f]+/g, ' ')).trim()
  return clean.length > MAX_DESCRIPTION ? `${clean.slice(0, MAX_DESCRIPTION)}…` : clean
}

/** For servers that speak something else. */
const CHECK_SCHEME = 'check the port, and whether the address begins with rtmp:// or rtmps://.'

/** What came first is not the beginning of RTMP. */
export const sayOtherProtocol = (label: string): string => `${label} does not speak RTMP; ${CHECK_SCHEME}`

/** An error of the socket. */
export function sayFailure(label: string, error: NodeJS.ErrnoException): string {
  switch (connectionFailureKind(error)) {
    case 'refused':
      return `Nothing answers at ${label}: the server is down, or the port is wrong.`
    case 'broken-off':
      return `${label} broke the connection off.`
    case 'no-route':
    case 'timed-out':
      return `${label} cannot be reached: there is no way to it.`
    case 'not-tls':
      return `${label} does not speak TLS; ${CHECK_SCHEME}`
    case 'untrusted':
      return `${label} cannot be trusted. ${certificateFailure(error)}`
    case 'other':
      return `The connection to ${label} failed: ${failureDetail(error)}.`
  }
}
