import { type Account, isMaster } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type AccountService } from './accounts.service.ts'

/** Whose things a caller may handle: its own, and a master its children's. */
export function createOwners(accounts: Pick<AccountService, 'find' | 'findChild'>) {
  return {
    /** The account whose things are asked for. */
    async resolve(caller: Account, username: string | undefined): Promise<Account> {
      return username === undefined || username === caller.username ? caller : accounts.findChild(caller, username)
    },
    /** The account with this username; undefined when there is none, or its key is revoked. */
    find: (username: string): Promise<Account | undefined> => accounts.find(username).catch(unlessMissing),
    async mayUse(caller: Account, username: string): Promise<boolean> {
      if (caller.username === username) return true
      if (!isMaster(caller)) return false
      return (await accounts.findChild(caller, username).catch(unlessMissing)) !== undefined
    },
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
