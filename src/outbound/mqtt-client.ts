import { type IClientOptions, type MqttClient } from 'mqtt'

/** Where a broker is, and as whom it is spoken to. */
export interface MqttAccess {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly username?: string | undefined
  readonly password?: string | undefined
}

const CONNECT_WITHIN_MS = 10_000

/** For one connection to an address of the broker that was checked. */
export function mqttOptions({ host, port, tls, username, password }: MqttAccess, address: string): IClientOptions {
  return {
    host: address,
    port,
    protocol: tls ? 'mqtts' : 'mqtt',
    ...(tls && { servername: host }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    clean: true,
    connectTimeout: CONNECT_WITHIN_MS,
    // We come back ourselves, because the address is to be checked anew each time.
    reconnectPeriod: 0,
  }
}

/** Node's codes for a certificate of somebody that it doesn't know. */
const unknownAuthority = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** What went wrong at a broker, in a sentence. */
export function brokerComplaint(name: string, error: Error & { readonly code?: unknown }): string {
  if (typeof error.code === 'string' && unknownAuthority.includes(error.code))
    return `The broker ${name} has a certificate of an authority that is not known here (${error.message}); start the service with NODE_EXTRA_CA_CERTS=/path/to/its-authority.pem.`
  return `The broker ${name} says: ${error.message.replace(/\.$/, '')}.`
}

/** A packet may have 256 MB, and the library gathers all of it before anybody can look. */
export function limitPackets(client: MqttClient, maxBytes: number, onMore: () => void): void {
  let unread = 0
  client.stream.on('data', (chunk: Buffer) => {
    unread += chunk.length
    if (unread > maxBytes) onMore()
  })
  client.on('packetreceive', () => (unread = 0))
}
