import { AppError } from '../core/errors.ts'
import { type Account, isMaster } from '../core/words.ts'
import { type AccountService } from './accounts.service.ts'

/** Whose things a caller may handle: its own, and a master its children's. */
export function createOwners(accounts: Pick<AccountService, 'findChild'>) {
  return {
    /** The account whose things are asked for. */
    async resolve(caller: Account, username: string | undefined): Promise<Account> {
      return username === undefined || username === caller.username ? caller : accounts.findChild(caller, username)
    },
    async mayUse(caller: Account, username: string): Promise<boolean> {
      if (caller.username === username) return true
      if (!isMaster(caller)) return false
      return accounts.findChild(caller, username).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError) return false
          throw error
        },
      )
    },
  }
}
