import { AppError } from '../core/errors.ts'
import { type Access, type AccessQuestion, type Protocol } from '../media/messages.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type WatchCredentials } from './watch-credentials.ts'

/** A client that wants to read a path or to publish to it. */
export interface WatchQuestion {
  readonly action: 'read' | 'publish'
  readonly path: string
  readonly credentials: WatchCredentials
  readonly address: string
  /** It was admitted before and stays: attempts that failed meanwhile do not count. */
  readonly isAgain?: boolean
}

/** Resolves with the client's identity, or rejects with an `AppError` that says why not. */
export type WatchAccess = (question: WatchQuestion) => Promise<Access>

/** The rights to watch and to publish are those of every client of the media server. */
export function createWatchAccess(protocol: Protocol, streams: Pick<Streams, 'admit'>): WatchAccess {
  return ({ action, path, credentials, address, isAgain = false }) =>
    streams.admit({
      action,
      path,
      request: { credentials: toCredentials(credentials), remoteAddress: address, protocol },
      isAgain,
    })
}

/** What takes a right away; a database that is away is trouble that passes. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError
}

function toCredentials({ key, token }: WatchCredentials): AccessQuestion['request']['credentials'] {
  if (key) return { kind: 'key', key }
  return token ? { kind: 'token', token } : { kind: 'none' }
}
