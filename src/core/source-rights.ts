import { type Account } from './account.ts'

/**
 * What may be given on a single source: `watch` its video, live and recorded; read its `events`, which is what was seen in it; `control`
 * the processes on it. None has another in it.
 */
export const sourceRights = ['watch', 'events', 'control'] as const
export type SourceRight = (typeof sourceRights)[number]

/** A source of another account. */
export interface GivenSource {
  readonly sourceId: string
  readonly ownerId: string
  readonly rights: readonly SourceRight[]
}

/** With the account that has it, whose key counts. */
export interface CountingSource extends GivenSource {
  readonly owner: Account
}

/**
 * Whose account counts when somebody asks for a source: routes ask here, and services know one account, as ever. What somebody has no
 * right on is looked for among its own things, and not found.
 */
export interface SourceRights {
  /**
   * The account that has the source, where the caller may do this with it: itself, its child (`username`), or who has given it the
   * right. The caller, where it has no right on it. Rejects with `right-missing` where it has others, and with `key-not-found` where
   * `username` is not its child.
   */
  ownerFor(caller: Account, sourceId: string, right: SourceRight, username?: string): Promise<Account>
  /** The same of the source of a process. */
  ownerForProcess(caller: Account, processId: string, right: SourceRight, username?: string): Promise<Account>
  /** Whether an account may watch what is sent to a path of the media server. False when its key does not count any more. */
  mayWatch(accountId: string, path: string): Promise<boolean>
  /** What it was given on a source of somebody else; undefined where that is nothing. */
  findGiven(caller: Account, sourceId: string): Promise<CountingSource | undefined>
  /** The sources of others that it has rights on, by id. */
  listGiven(accountId: string): Promise<readonly CountingSource[]>
}
