import { UsageError } from './command.ts'

/** A topic at somebody's broker. */
export interface BrokerTopic {
  /** As in a URL: IPv6 in brackets. */
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
  readonly topic: string
  readonly credentials: { readonly username?: string; readonly password?: string }
}

/** `mqtt[s]://[user:password@]host[:port]/topic`, as the value of an option. */
export function parseBrokerTopic(address: string, option: string): BrokerTopic {
  const wrong = new UsageError(`${option} must be like mqtt://host:1883/drone/1/telemetry, or begin with mqtts://`)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url?.hostname || !['mqtt:', 'mqtts:'].includes(url.protocol)) throw wrong
  try {
    const [topic, username, password] = [url.pathname.slice(1), url.username, url.password].map(decodeURIComponent)
    if (!topic) throw wrong
    const isTls = url.protocol === 'mqtts:'
    return {
      hostname: url.hostname,
      port: Number(url.port) || (isTls ? 8883 : 1883),
      isTls,
      topic,
      credentials: { ...(username && { username }), ...(password && { password }) },
    }
  } catch {
    // A per cent sign that begins no character.
    throw wrong
  }
}
