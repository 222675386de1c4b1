import { RtspClientError } from '../rtsp/client/client-error.ts'
import { type RtspConnectOptions } from '../rtsp/client/connection.ts'
import { parseRtspTarget } from '../rtsp/client/rtsp-target.ts'

/** How another node is connected to: at the address that the main process gave, and wherever it redirects us, nowhere else. */
export function nodeConnection(url: string, signal: AbortSignal): RtspConnectOptions {
  const { hostname, port } = parseRtspTarget(url)
  return {
    isNode: true,
    signal,
    async dial(otherHostname, otherPort) {
      if (otherHostname === hostname && otherPort === port) return hostname
      throw new RtspClientError('unusable', 'A node does not redirect to another address.')
    },
  }
}
