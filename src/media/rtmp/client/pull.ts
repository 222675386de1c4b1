import { isIPv6 } from 'node:net'
import { type Input, openInput } from '../../../av/input.ts'
import { streamFault } from '../../../av/stream-fault.ts'
import { openPinnedForwarder } from './pinned-forwarder.ts'
import { parsePushAddress } from './push-address.ts'

export interface PullOptions {
  /** The address to dial for a host: exactly that one is dialled. Rejects with a sentence when it may not be. */
  readonly dial: (hostname: string, port: number) => Promise<string>
  /** How long the stream may be silent. */
  readonly timeoutMs: number
}

/** With a password FFmpeg asks for a challenge, and answers it, on connections of their own. */
const MAX_CONNECTIONS_WITH_PASSWORD = 3

/**
 * Reads somebody's RTMP server by FFmpeg, to which nothing of the network is open but the address that was checked. Rejects with a
 * sentence.
 */
export async function openRtmpPull(url: string, { dial, timeoutMs }: PullOptions): Promise<Input> {
  const { hostname, port, isTls, app } = parsePushAddress(url)
  const [, userinfo = '', rest = ''] = /^rtmps?:\/\/((?:[^/?#]*@)?)[^/?#@]+([/?#].*)?$/is.exec(url) ?? []
  const forwarder = await openPinnedForwarder({
    address: await dial(hostname, port),
    port,
    tlsName: isTls ? hostname : undefined,
    maxConnections: userinfo ? MAX_CONNECTIONS_WITH_PASSWORD : 1,
    timeoutMs,
  })
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname
  try {
    const input = await openInput(`rtmp://${userinfo}127.0.0.1:${forwarder.port}${rest}`, {
      timeoutMs,
      demuxer: 'flv',
      // As FFmpeg would say it of itself: the server knows itself by this name.
      rtmpUrl: `${isTls ? 'rtmps' : 'rtmp'}://${host}:${port}/${app}`,
    })
    return {
      ...input,
      async close() {
        await input.close().finally(() => forwarder.close())
      },
    }
  } catch (error) {
    await forwarder.close()
    throw new Error(forwarder.failure ?? streamFault(error), { cause: error })
  }
}
