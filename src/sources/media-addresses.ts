import { networkInterfaces } from 'node:os'
import { toMediaPath } from '../core/media-path.ts'
import { type MediaPorts } from './media-server.ts'

/** Our media server's addresses: which URLs are ours, and what ours look like. */
export interface MediaAddresses {
  /** The path on our media server that this URL names; undefined when it is somebody else's, null when it is ours but no path. */
  pathOf(url: string): string | null | undefined
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
}

export function createMediaAddresses({
  ports,
  publicUrl,
  host: listenHost,
  isTls,
}: MediaAddressOptions): MediaAddresses {
  // Our own workers dial what is listened on; everywhere means here too.
  const internalHost = ['0.0.0.0', '::'].includes(listenHost)
    ? '127.0.0.1'
    : listenHost.includes(':')
      ? `[${listenHost}]`
      : listenHost
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname

  function isOurs(hostname: string): boolean {
    const host = canonicalHost(hostname)
    if (
      host === 'localhost' ||
      host === '::1' ||
      /^127\.\d+\.\d+\.\d+$/.test(host) ||
      host === '0.0.0.0' ||
      host === publicHost
    )
      return true
    return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === host))
  }

  return {
    pathOf(text) {
      const url = new URL(text)
      const { rtspPort, rtmpPort } = ports()
      const [ownPort, usualPort] = url.protocol.startsWith('rtsp')
        ? [rtspPort, url.protocol === 'rtsps:' ? 322 : 554]
        : [rtmpPort, 1935]
      if (Number(url.port || usualPort) !== ownPort || !isOurs(url.hostname)) return undefined
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
        rtsp: `${rtsp}://${path.split('/')[0]}:${token}@${host}:${rtspPort}/${path}`,
        rtmp: `${rtmp}://${host}:${rtmpPort}/${path}?token=${token}`,
      }
    },
  }
}

/** One spelling for one host: `127.1`, `2130706433` and `[::ffff:7f00:1]` are all 127.0.0.1 (the URL standard knows). */
function canonicalHost(hostname: string): string {
  const plain = URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname
  const bare = plain.replace(/^\[|\]$/g, '').toLowerCase()
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(bare)
  if (!mapped) return bare
  const [high, low] = [parseInt(mapped[1]!, 16), parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
