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
  urlsWithToken(path: string, token: string): { rtsp: string; rtmp: string }
}

export interface MediaAddressOptions {
  readonly ports: () => MediaPorts
  readonly publicUrl: string | undefined
  readonly isTls: boolean
}

export function createMediaAddresses({ ports, publicUrl, isTls }: MediaAddressOptions): MediaAddresses {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).hostname

  function isOurs(hostname: string): boolean {
    const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
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
      const [ownPort, usualPort] = url.protocol === 'rtsp:' ? [rtspPort, 554] : [rtmpPort, 1935]
      if (Number(url.port || usualPort) !== ownPort || !isOurs(url.hostname)) return undefined
      return toMediaPath(url.pathname) ?? null
    },
    internalRtspUrl: (path, token) =>
      `${isTls ? 'rtsps' : 'rtsp'}://127.0.0.1:${ports().rtspPort}/${path}?token=${token}`,
    urlsWithToken(path, token) {
      const { rtspPort, rtmpPort } = ports()
      const host = publicHost ?? firstAddress()
      const [rtsp, rtmp] = isTls ? ['rtsps', 'rtmps'] : ['rtsp', 'rtmp']
      return {
        rtsp: `${rtsp}://${path.split('/')[0]}:${token}@${host}:${rtspPort}/${path}`,
        rtmp: `${rtmp}://${host}:${rtmpPort}/${path}?token=${token}`,
      }
    },
  }
}

/** The address by which others on the network most likely reach this machine. */
function firstAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost'
}
