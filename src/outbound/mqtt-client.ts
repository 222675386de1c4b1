import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type IClientOptions, MqttClient, Store } from 'mqtt'
import { BrokerFault } from './packet-heads.ts'
import { certificateFailure, connectionFailure, connectionFailureKind, isSystemError } from './connection-failure.ts'
import { createPacketGuard, type PacketGuardOptions } from './packet-guard.ts'
import { paceStream } from './paced-stream.ts'

/** Where a broker is, and as whom it is spoken to. */
export interface MqttAccess {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly username?: string | undefined
  readonly password?: string | undefined
}

export interface MqttConnectionOptions extends PacketGuardOptions {
  readonly access: MqttAccess
  /** Of the broker; it was checked. */
  readonly address: string
  /** Of certificates, beside those that Node knows. */
  readonly ca?: string | undefined
  /** What is different from the library's defaults. */
  readonly mqtt?: Pick<IClientOptions, 'protocolVersion' | 'clientId' | 'will'>
}

const CONNECT_TIMEOUT_MS = 10_000

/** One connection to a broker, which is nobody we trust. */
export function connectToBroker(options: MqttConnectionOptions): MqttClient {
  const { access, mqtt = {} } = options
  const { username, password } = access
  const guard = createPacketGuard(options)
  const client = new MqttClient(() => paceStream(openSocket(options), guard.cut), {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...mqtt,
    clean: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // We come back ourselves, because the address is to be checked anew each time.
    reconnectPeriod: 0,
    // The library's own are taken away when it is closed, and packets that it has read by then are still put into them: it would throw.
    incomingStore: new Store({ clean: false }),
    outgoingStore: new Store({ clean: false }),
  })
  client.on('packetsend', (packet) => guard.expectAnswer(packet))
  return client
}

function openSocket({ access: { host, port, tls }, address, ca }: MqttConnectionOptions): Socket {
  if (!tls) return connectTcp({ host: address, port })
  return connectTls({ host: address, port, servername: host, ...(ca !== undefined && { ca }) })
}

/** What went wrong at a broker, in a sentence. */
export function brokerComplaint(name: string, error: Error & { readonly code?: unknown }): string {
  if (error instanceof BrokerFault) return `The broker ${name} ${error.message}.`
  const kind = connectionFailureKind(error)
  if (kind === 'untrusted') return `The broker ${name} cannot be trusted. ${certificateFailure(error)}`
  if (kind !== 'other' || isSystemError(error.code))
    return `The broker ${name} cannot be reached. ${connectionFailure(error)}`
  return `The broker ${name} says: ${error.message.replace(/\.$/, '')}.`
}
