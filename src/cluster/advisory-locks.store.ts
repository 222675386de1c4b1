import { sql } from 'kysely'
import { type Db, type Queryable } from '../storage/database.ts'

/** Ours among the advisory locks of the database, which others may use too. */
const SPACE = 0xae71e
const PLACING = 1
const UPGRADING = 2

/** One places at a time. Held until the end of the transaction; false when another has it. */
export async function tryLockForPlacing(tx: Queryable): Promise<boolean> {
  const { rows } = await sql<{
    locked: boolean
  }>`select pg_try_advisory_xact_lock(${SPACE}, ${PLACING}) as locked`.execute(tx)
  return rows[0]!.locked
}

/** Nobody joins while the tables are upgraded. Held until the end of the transaction. */
export async function lockForJoining(tx: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${SPACE}, ${UPGRADING})`.execute(tx)
}

/** Held by a connection of its own while `run` goes on, which has others. */
export async function whileLockedForUpgrading<T>(db: Db, run: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(${SPACE}, ${UPGRADING})`.execute(holder)
    try {
      return await run()
    } finally {
      await sql`select pg_advisory_unlock(${SPACE}, ${UPGRADING})`.execute(holder)
    }
  })
}
