import { type ConnectionAdmission } from './connection-admission.ts'
import { type Hub } from './hub.ts'
import { type Listener } from './listener.ts'
import { type WaitingBytes } from './waiting-bytes.ts'

/** What every protocol folder exports: a server that knows the hub and nothing else of the system. */
export interface ProtocolServer extends Pick<Listener, 'listen'> {
  /** Resolves when every connection is closed and every port is free again. */
  close(): Promise<void>
}

/** What every one of them is given. */
export interface ProtocolServerOptions {
  readonly hub: Pick<Hub, 'publish' | 'subscribe'>
  readonly host: string
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

/** What the log says of a client when its stream begins and when it ends: the same for every protocol, so that one search finds all. */
export const ROLE_LOG = {
  publish: { began: 'A publisher sends.', ended: 'A publisher left.' },
  play: { began: 'A reader plays.', ended: 'A reader left.' },
} as const
