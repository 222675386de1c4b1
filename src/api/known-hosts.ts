import { X509Certificate } from 'node:crypto'
import { type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { type FastifyInstance } from 'fastify'
import { type ServedCertificate } from '../core/certificate.ts'
import { AppError } from '../core/errors.ts'
import { withoutBrackets } from '../core/ip-address.ts'
import { countHeader } from '../core/request-headers.ts'
import { type UnknownHostLog } from './unknown-host-log.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers whatever `Host` is sent: load balancers send any. */
    isForAnyHost?: boolean
  }
}

export interface KnownHostOptions {
  /** What we listen on. */
  readonly host: string
  /** Names that the operator has listed. */
  readonly hosts: readonly string[]
  readonly publicUrl: string | undefined
  readonly certificate: ServedCertificate | undefined
}

/**
 * Whether a host name, in lower case, is one of ours. A page elsewhere whose own name suddenly resolves to our address (DNS
 * rebinding) is of the same origin as we are for its browser, but it cannot change the name that the browser asks for.
 */
export function createKnownHosts(
  { host, hosts, publicUrl, certificate }: KnownHostOptions,
  machine: string = hostname(),
): (name: string) => boolean {
  const [firstLabel = ''] = machine.split('.')
  const names = [host, ...hosts, machine, firstLabel, `${firstLabel}.local`, 'localhost']
  const known = new Set(names.map((name) => name.toLowerCase()))
  if (publicUrl !== undefined) known.add(new URL(publicUrl).hostname)
  let own = certificate && new X509Certificate(certificate.current.cert)
  certificate?.onChange(({ cert }) => (own = new X509Certificate(cert)))
  return (name) =>
    isIP(name) !== 0 || known.has(name) || name.endsWith('.localhost') || own?.checkHost(name) !== undefined
}

/** The name or address in a `Host` header, in its one spelling; undefined when it holds neither. */
export function hostNameOf(header: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(header) || !URL.canParse(`http://${header}`)) return undefined
  return withoutBrackets(new URL(`http://${header}`).hostname).replace(/\.$/, '')
}

/** Refuses requests and websocket handshakes that are for another host; behind a proxy that is believed, by the host that it forwards. */
export function addHostCheck(
  app: FastifyInstance,
  isKnown: (name: string) => boolean,
  noteUnknown: UnknownHostLog,
): void {
  app.addHook('onRequest', async (request) => {
    const reason = contradictionIn(request.raw)
    if (reason !== undefined) throw new AppError('request-malformed', { reason })
    if (request.routeOptions.config.isForAnyHost) return
    const name = hostNameOf(request.host)
    if (name === undefined) throw new AppError('request-malformed', { reason: 'Host is no host name and no address.' })
    if (isKnown(name)) return
    noteUnknown(name)
    throw new AppError('host-unknown', { host: name })
  })
}

/** What is before us may have taken the other one of two hosts (RFC 9112 §3.2). */
export function contradictionIn({
  rawHeaders,
  url = '',
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'url' | 'headers' | 'httpVersion'>): string | undefined {
  const hosts = countHeader(rawHeaders, 'host')
  if (hosts === 0 && httpVersion === '1.1') return 'It has no Host; send the name or address that you call.'
  if (hosts > 1) return 'It has more than one Host; send one.'
  // An address in absolute form names the host itself (§3.2.2).
  const [, authority] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? []
  if (authority === undefined || hostNameOf(authority) === hostNameOf(headers.host ?? '')) return undefined
  return 'Its address names another host than Host does; send the path alone.'
}
