import { afterEach, beforeEach } from 'vitest'
import { type Account } from '../../src/core/account.ts'
import { addAccount } from '../builders/account.ts'
import { createMigratedDatabase, type DialectName, type TestDatabase } from './databases.ts'

export interface AccountDatabase {
  readonly database: TestDatabase
  readonly account: Account
}

/** A database with one master account. */
export async function createAccountDatabase(dialect: DialectName): Promise<AccountDatabase> {
  const database = await createMigratedDatabase(dialect)
  const { account } = await addAccount(database, { username: 'admin' })
  return { database, account }
}

/** One for each test of a `describe`. */
export function useAccountDatabase(dialect: DialectName): () => AccountDatabase {
  let created: AccountDatabase
  beforeEach(async () => void (created = await createAccountDatabase(dialect)))
  afterEach(() => created.database.remove())
  return () => created
}
