import { AppError } from '../core/errors.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type SessionRow } from '../storage/schema.ts'

/** A browser that has signed in with a key. Only the hash of its secret is kept. */
export interface Session {
  readonly secretSha256: string
  /** The key's own hash: when the key is replaced or revoked, the session fits nobody any more. */
  readonly keySha256: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface SessionStore {
  /** Throws when the key is nobody's any more. The sessions of a key beyond `maxSessions`, the oldest first, and whatever has expired, are removed. */
  insertWithinLimit(session: Session, maxSessions: number): Promise<void>
  find(secretSha256: string): Promise<Session | undefined>
  remove(secretSha256: string): Promise<void>
}

export function createSessionStore(db: Db): SessionStore {
  return {
    insertWithinLimit: (session, maxSessions) =>
      db.transaction().execute(async (tx) => {
        await lockKey(tx, session.keySha256)
        await tx.deleteFrom('session').where('expires_at', '<=', session.createdAt).execute()
        await tx.insertInto('session').values(toRow(session)).execute()
        const kept = await tx
          .selectFrom('session')
          .select('secret_sha256')
          .where('key_sha256', '=', session.keySha256)
          .orderBy('created_at', 'desc')
          .orderBy('secret_sha256')
          .execute()
        const surplus = kept.slice(maxSessions).map((row) => row.secret_sha256)
        if (surplus.length > 0) await tx.deleteFrom('session').where('secret_sha256', 'in', surplus).execute()
      }),
    async find(secretSha256) {
      const row = await db
        .selectFrom('session')
        .selectAll()
        .where('secret_sha256', '=', secretSha256)
        .executeTakeFirst()
      return row && toSession(row)
    },
    async remove(secretSha256) {
      await db.deleteFrom('session').where('secret_sha256', '=', secretSha256).execute()
    },
  }
}

/** As `lockActiveAccount`, by the hash of the key: a sign-in at the same time waits, and so does its revocation. */
async function lockKey(tx: Queryable, keySha256: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set((eb) => ({ consumed_seconds: eb.ref('consumed_seconds') }))
    .where('key_sha256', '=', keySha256)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('api-key-invalid')
}

function toSession(row: SessionRow): Session {
  return {
    secretSha256: row.secret_sha256,
    keySha256: row.key_sha256,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

function toRow(session: Session): SessionRow {
  return {
    secret_sha256: session.secretSha256,
    key_sha256: session.keySha256,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  }
}
