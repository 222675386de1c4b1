import { type Account } from '../core/account.ts'
import { type SourceUser } from '../core/source-user.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

/** What a process needs to know of a source. */
export interface ProcessSource {
  readonly id: string
  readonly accountId: string
  readonly type: 'file' | 'stream'
  readonly inputUrl: string
  readonly telemetryCfg: TelemetryCfg | null
}

export interface ProcessSources {
  /** Throws when the account has no such source. */
  find(account: Pick<Account, 'id'>, sourceId: string): Promise<ProcessSource>
  /** From now on a source that is processed stays, and says what its processes know of it. */
  addUser(user: SourceUser): void
  /** As it is called now; undefined of a source that is no more. */
  aliasOf(sourceId: string): string | undefined
  /** What is wrong with its stream now; null when nothing is, and of a source that is no more. */
  streamProblemOf(sourceId: string): string | null
  /** Whether this is the telemetry that it is registered with now. */
  hasTelemetry(sourceId: string, cfg: TelemetryCfg | null): boolean
  /** Where the file of an uploaded video is, if it still is. */
  fileOf(sourceId: string): Promise<string | undefined>
  /** The path of our own media server that a stream is to be read from; null when it is gone. Throws when it is not its owner's. */
  pathToRead(sourceId: string): Promise<string | null>
}
