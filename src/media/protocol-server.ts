import { type ConnectionAdmission } from './connection-admission.ts'
import { type Hub } from './hub.ts'
import { type Certificate } from './listener.ts'
import { type WaitingBytes } from './waiting-bytes.ts'

/** What every protocol folder exports: a server that knows the hub and nothing else of the system. */
export interface ProtocolServer {
  /** Resolves with the port once connections are accepted; port 0 was "any free one". */
  listen(): Promise<{ readonly port: number }>
  /** Resolves when every connection is closed and every port is free again. */
  close(): Promise<void>
}

/** What every one of them is given. */
export interface ProtocolServerOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** With it the protocol is spoken by TLS. */
  readonly tls?: Certificate
  /** Shared by all protocols; one of its own when missing. */
  readonly admission?: ConnectionAdmission
  /** Likewise. */
  readonly waitingBytes?: WaitingBytes
  readonly log: ProtocolLog
}

/** Never holds keys, tokens or passwords. */
export interface ProtocolLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}
