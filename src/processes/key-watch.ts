import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type StopReason } from './process.ts'

export interface KeyWatchDeps {
  readonly accounts: {
    /** Throws when the account, or its master, is revoked or expired. */
    byId(accountId: string): Promise<Account>
  }
  readonly processes: {
    /** Of everyone for whom something runs. */
    listAccounts(): string[]
    stopAll(account: Pick<Account, 'id'>, reason: StopReason): Promise<unknown>
  }
}

/**
 * Stops what runs for keys that no longer work. Keys expire without an event; those that are revoked have one, but a
 * start of the same moment may have been missed by it.
 */
export function createKeyWatch({ accounts, processes }: KeyWatchDeps): () => Promise<void> {
  async function check(accountId: string): Promise<void> {
    const reason = await accounts.byId(accountId).then(() => undefined, toStopReason)
    if (reason) await processes.stopAll({ id: accountId }, reason)
  }

  return async () => void (await Promise.all(processes.listAccounts().map(check)))
}

function toStopReason(error: unknown): StopReason {
  const code = error instanceof AppError ? error.code : undefined
  if (code === 'api-key-expired') return 'key-expired'
  if (code === 'api-key-invalid') return 'key-revoked'
  throw error
}
