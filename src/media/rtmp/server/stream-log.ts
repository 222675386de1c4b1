import { maskSecrets } from '../../../core/mask-secrets.ts'
import { type RefusalLog } from '../../../observe/refusal-log.ts'
import { type ProtocolLog, ROLE_LOG } from '../../protocol-server.ts'
import { type StatusError } from './status.ts'

/** What the log says about the streams of one client. Paths are masked: people put keys where the name belongs. */
export interface StreamLog {
  began(role: Role, path: string): void
  ended(role: Role, path: string): void
  /** `error` is what the status was made of. */
  refused(action: 'publish' | 'play', path: string, status: StatusError, error: unknown): void
  /** A player had to be ended by an error of ours. */
  playerFailed(path: string, error: unknown): void
  playerTooSlow(path: string, why: string, queuedBytes: number): void
}

type Role = keyof typeof ROLE_LOG

export function createStreamLog(log: ProtocolLog, refusals: RefusalLog, remoteAddress: string): StreamLog {
  const fields = (path: string) => ({ path: maskSecrets(path), remoteAddress })

  return {
    began: (role, path) => log.info(fields(path), ROLE_LOG[role].began),
    ended: (role, path) => log.info(fields(path), ROLE_LOG[role].ended),
    refused(action, path, { code, description, isServerFailure }, error) {
      if (isServerFailure) log.warn({ ...fields(path), err: error }, `A client could not ${action}.`)
      else refusals.note({ ...fields(path), code }, `A client was refused: ${maskSecrets(description)}`)
    },
    playerFailed: (path, error) =>
      log.warn({ ...fields(path), err: error }, 'A reader was let go: the stream could not be turned into RTMP.'),
    playerTooSlow: (path, why, queuedBytes) =>
      log.warn({ ...fields(path), why, queuedBytes }, 'A reader was too slow.'),
  }
}
