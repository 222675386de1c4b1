import { ownerOfPath, toMediaPath } from '../core/media-path.ts'
import { type MediaPorts } from '../core/service-ports.ts'
import { endpointsOf, endpointUrl, localEndpoint, type MediaEndpoint } from './media-endpoints.ts'

/** Our media server's addresses: which URLs are ours, and what ours look like. */
export interface MediaAddresses {
  /** The path on our media server that this URL names; undefined when it leads elsewhere, null when it is ours but no path. */
  pathOf(url: string, callerId: string): Promise<string | null | undefined>
  /** For our own workers, on this machine. */
  internalRtspUrl(path: string, token: string): string
  /** For users: publish or play with a narrow token. */
  urlsWithToken(path: string, token: string, host: string): UrlsWithToken
  /** For users: plays as it stands, with the token in the query. */
  playUrl(path: string, token: string, host: string): string
  /** The same without encryption, where both are open. */
  plainPlayUrl(path: string, token: string, host: string): string | undefined
  /** The sentence for a client that has shown none. */
  howToGiveAKey(): string
}

/** Encrypted where there is a certificate; beside those the plain ones, if their ports are open too. */
export interface UrlsWithToken {
  readonly rtsp: string
  readonly rtmp: string
  readonly rtsp_plain?: string
  readonly rtmp_plain?: string
}

export interface MediaAddressOptions {
  readonly ports: () => MediaPorts
  readonly publicUrl: string | undefined
  /** What the servers listen on. */
  readonly host: string
  /** Whether this host leads to this machine. */
  readonly leadsHere: (callerId: string, hostname: string) => Promise<boolean>
}

export function createMediaAddresses({
  ports,
  publicUrl,
  host: listenHost,
  leadsHere,
}: MediaAddressOptions): MediaAddresses {
  // Our own workers dial what is listened on; everywhere means here too.
  const internalHost = ['0.0.0.0', '::'].includes(listenHost)
    ? '127.0.0.1'
    : listenHost.includes(':')
      ? `[${listenHost}]`
      : listenHost
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  const rtsp = () => endpointsOf('rtsp', ports())
  const rtmp = () => endpointsOf('rtmp', ports())

  const queryUrl = (endpoint: MediaEndpoint, host: string, path: string, token: string) =>
    `${endpointUrl(endpoint, host)}/${path}?token=${token}`
  const passwordUrl = (endpoint: MediaEndpoint, host: string, path: string, token: string) =>
    `${endpointUrl(endpoint, `${ownerOfPath(path)}:${token}@${host}`)}/${path}`

  return {
    async pathOf(text, callerId) {
      const url = new URL(text)
      const scheme = url.protocol.slice(0, -1)
      const { rtspPort, rtmpPort, rtspsPort, rtmpsPort } = ports()
      // Plain or by TLS: what is meant is the path, which our own workers read by the port that suits them.
      const ownPorts = scheme.startsWith('rtsp') ? [rtspPort, rtspsPort] : [rtmpPort, rtmpsPort]
      if (!ownPorts.includes(Number(url.port || DEFAULT_PORTS[scheme]))) return undefined
      const hostname = canonicalHost(url.hostname)
      // The public name may lead to a proxy or a router that leads here.
      if (hostname !== publicHost && !(await leadsHere(callerId, hostname))) return undefined
      return toMediaPath(url.pathname) ?? null
    },
    internalRtspUrl: (path, token) => queryUrl(localEndpoint(rtsp()), internalHost, path, token),
    playUrl: (path, token, requestHost) => queryUrl(rtsp().preferred, publicHost ?? requestHost, path, token),
    plainPlayUrl(path, token, requestHost) {
      const { plain } = rtsp()
      return plain && queryUrl(plain, publicHost ?? requestHost, path, token)
    },
    urlsWithToken(path, token, requestHost) {
      const host = publicHost ?? requestHost
      const { preferred, plain } = rtsp()
      const { preferred: preferredRtmp, plain: plainRtmp } = rtmp()
      return {
        rtsp: passwordUrl(preferred, host, path, token),
        rtmp: queryUrl(preferredRtmp, host, path, token),
        ...(plain && { rtsp_plain: passwordUrl(plain, host, path, token) }),
        ...(plainRtmp && { rtmp_plain: queryUrl(plainRtmp, host, path, token) }),
      }
    },
    howToGiveAKey() {
      const byPassword = endpointUrl(rtsp().preferred, '<username>:KEY@host')
      const byQuery = endpointUrl(rtmp().preferred, 'host')
      return `Give your key: ${byPassword}/<path>, or ${byQuery}/<path>?api_key=KEY.`
    },
  }
}

/** Where an address names none. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { rtsp: 554, rtsps: 322, rtmp: 1935, rtmps: 443 }

/** One spelling for one host: the URL standard knows that `127.1` and `2130706433` are 127.0.0.1, but not in our schemes. */
function canonicalHost(hostname: string): string {
  return URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname
}
