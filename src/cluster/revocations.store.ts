import { type Db } from '../storage/database.ts'

/** A key that was revoked; with `purge`, one of which nothing is stored any more. */
export interface Revocation {
  readonly accountId: string
  readonly username: string
  readonly purge: boolean
}

export interface RevocationStore {
  /** Those that were revoked, or purged, since then: by the clocks of whoever did it. */
  listSince(time: number): Promise<Revocation[]>
}

export function createRevocationStore(db: Db): RevocationStore {
  return {
    async listSince(time) {
      const rows = await db
        .selectFrom('account')
        .select(['id', 'username', 'purged_at'])
        .where((eb) => eb.or([eb('revoked_at', '>=', time), eb('purged_at', '>=', time)]))
        .orderBy('id')
        .execute()
      return rows.map(({ id, username, purged_at }) => ({ accountId: id, username, purge: purged_at !== null }))
    },
  }
}
