import { type Db } from './database.ts'

/** The sources whose recordings count for this one: the account's on its path. A source that is gone is alone. */
export async function listSourcesOnPathOf(db: Db, sourceId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('source')
    .innerJoin('source as own', (join) =>
      join.onRef('own.account_id', '=', 'source.account_id').onRef('own.media_path', '=', 'source.media_path'),
    )
    .select('source.id')
    .where('own.id', '=', sourceId)
    .execute()
  return [...new Set([sourceId, ...rows.map(({ id }) => id)])]
}
