import { ownerOfPath, toMediaPath } from '../core/media-path.ts'
import { type MediaPorts } from './media-ports.ts'

/** Our media server's addresses: which URLs are ours, and what ours look like. */
export interface MediaAddresses {
  /** The path on our media server that this URL names; undefined when it leads elsewhere, null when it is ours but no path. */
  pathOf(url: string, callerId: string): Promise<string | null | undefined>
  /** For our own workers, on this machine. */
  internalRtspUrl(path: string, token: string): string
  /** For users: publish or play with a narrow token. */
  urlsWithToken(path: string, token: string, host: string): { rtsp: string; rtmp: string }
  /** For users: plays as it stands, with the token in the query. */
  playUrl(path: string, token: string, host: string): string
}

export interface MediaAddressOptions {
  readonly ports: () => MediaPorts
  readonly publicUrl: string | undefined
  /** What the servers listen on. */
  readonly host: string
  readonly isTls: boolean
  /** Whether whoever dials this host reaches this machine. */
  readonly leadsHere: (callerId: string, hostname: string) => Promise<boolean>
}

export function createMediaAddresses({
  ports,
  publicUrl,
  host: listenHost,
  isTls,
  leadsHere,
}: MediaAddressOptions): MediaAddresses {
  // Our own workers dial what is listened on; everywhere means here too.
  const internalHost = ['0.0.0.0', '::'].includes(listenHost)
    ? '127.0.0.1'
    : listenHost.includes(':')
      ? `[${listenHost}]`
      : listenHost
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname

  return {
    async pathOf(text, callerId) {
      const url = new URL(text)
      const { rtspPort, rtmpPort } = ports()
      const [ownPort, defaultPort] = url.protocol.startsWith('rtsp')
        ? [rtspPort, url.protocol === 'rtsps:' ? 322 : 554]
        : [rtmpPort, 1935]
      if (Number(url.port || defaultPort) !== ownPort) return undefined
      const hostname = canonicalHost(url.hostname)
      // The public name may lead to a proxy or a router that leads here.
      if (hostname !== publicHost && !(await leadsHere(callerId, hostname))) return undefined
      return toMediaPath(url.pathname) ?? null
    },
    internalRtspUrl: (path, token) =>
      `${isTls ? 'rtsps' : 'rtsp'}://${internalHost}:${ports().rtspPort}/${path}?token=${token}`,
    playUrl: (path, token, requestHost) =>
      `${isTls ? 'rtsps' : 'rtsp'}://${publicHost ?? requestHost}:${ports().rtspPort}/${path}?token=${token}`,
    urlsWithToken(path, token, requestHost) {
      const { rtspPort, rtmpPort } = ports()
      const host = publicHost ?? requestHost
      const [rtsp, rtmp] = isTls ? ['rtsps', 'rtmps'] : ['rtsp', 'rtmp']
      return {
        rtsp: `${rtsp}://${ownerOfPath(path)}:${token}@${host}:${rtspPort}/${path}`,
        rtmp: `${rtmp}://${host}:${rtmpPort}/${path}?token=${token}`,
      }
    },
  }
}

/** One spelling for one host: the URL standard knows that `127.1` and `2130706433` are 127.0.0.1, but not in our schemes. */
function canonicalHost(hostname: string): string {
  return URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname
}
