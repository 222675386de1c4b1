import { AppError } from '../core/errors.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { inBatches } from '../storage/queries.ts'

/** What a key keeps for its pages, by name, as JSON. */
export type KeptPreferences = ReadonlyMap<string, string>

export interface PreferenceStore {
  list(accountId: string): Promise<KeptPreferences>
  /** Sets these, and forgets those that are null. With more than `limit` of them nothing is changed. Answers all. */
  change(accountId: string, values: ReadonlyMap<string, string | null>, limit: number): Promise<KeptPreferences>
  removeAllOf(accountId: string): Promise<void>
}

export function createPreferenceStore(db: Db): PreferenceStore {
  return {
    list: (accountId) => list(db, accountId),
    change: (accountId, values, limit) =>
      db.transaction().execute(async (tx) => {
        // Changes of one key wait for each other: each counts what the others have added.
        await lockActiveAccount(tx, accountId)
        const all = [...values]
        await remove(
          tx,
          accountId,
          all.flatMap(([name, value]) => (value === null ? [name] : [])),
        )
        const kept = all.flatMap(([name, value]) => (value === null ? [] : [{ account_id: accountId, name, value }]))
        for (const rows of inBatches(kept))
          await tx
            .insertInto('preference')
            .values(rows)
            .onConflict((conflict) =>
              conflict.columns(['account_id', 'name']).doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
            )
            .execute()
        const after = await list(tx, accountId)
        if (after.size > limit) throw new AppError('preference-limit-reached', { limit })
        return after
      }),
    async removeAllOf(accountId) {
      await db.deleteFrom('preference').where('account_id', '=', accountId).execute()
    },
  }
}

async function list(db: Queryable, accountId: string): Promise<KeptPreferences> {
  const rows = await db
    .selectFrom('preference')
    .select(['name', 'value'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute()
  return new Map(rows.map(({ name, value }) => [name, value]))
}

async function remove(tx: Queryable, accountId: string, names: readonly string[]): Promise<void> {
  for (const some of inBatches(names))
    await tx.deleteFrom('preference').where('account_id', '=', accountId).where('name', 'in', some).execute()
}
