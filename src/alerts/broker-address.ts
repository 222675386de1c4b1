import { withoutBrackets } from '../core/ip-address.ts'

/** Where an MQTT broker is, from how people write it. */
export interface BrokerAddress {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
}

const PORT = 1883
const TLS_PORT = 8883

/** `host`, `host:port`, or a `mqtt://` or `mqtts://` URL; a sentence when it is none of these. */
export function readBrokerAddress(written: string): BrokerAddress | { readonly problem: string } {
  const text = written.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (hasScheme && !/^mqtts?:\/\//i.test(text))
    return { problem: 'write a host, host:port, or a URL that begins with mqtt:// or mqtts://' }
  // The URL parser knows the parts of a host only for schemes of the web.
  const url = parse(hasScheme ? text.replace(/^mqtts?/i, 'http') : `http://${text}`)
  if (!url || url.hostname === '') return { problem: 'names no host; write for example broker.example.org:1883' }
  if (!hasScheme && (url.username || url.password)) return { problem: 'put the user into username and password' }
  if (url.pathname !== '/' || url.search || url.hash)
    return { problem: 'has more than a host and a port; the topic has its own field' }
  const tls = /^mqtts:/i.test(text)
  const explicit = /:(\d+)\/?$/.exec(text)?.[1]
  const port = explicit === undefined ? (tls ? TLS_PORT : PORT) : Number(explicit)
  if (port === 0) return { problem: 'the port is 1 to 65535' }
  return {
    host: withoutBrackets(url.hostname),
    port,
    tls,
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
  }
}

function parse(text: string): URL | undefined {
  try {
    const url = new URL(text)
    // Throws where a `%` is not followed by two digits.
    decodeURIComponent(url.username + url.password)
    return url
  } catch {
    return undefined
  }
}
