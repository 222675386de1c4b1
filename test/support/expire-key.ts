import { join } from 'node:path'
import { openDatabase } from '../../src/storage/database.ts'
import { type Installation } from './installation.ts'

/** What comes with time alone: no key can be given a last day that is over. */
export async function expireKey({ dataDir }: Installation, username: string, expirationDate: string): Promise<void> {
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  await database.db
    .updateTable('account')
    .set({ expiration_date: expirationDate })
    .where('username', '=', username)
    .execute()
  await database.close()
}
