import { type Kysely, sql } from 'kysely'

/** Cameras that we call get paths of their own; those that were registered before get theirs at the next start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('source')
    .addColumn('is_pulled', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('source')
    .addColumn('record', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  // Nobody's disk and network are used for them without a word: their owners turn recording on.
  await sql`update source set is_pulled = 1, record = 0 where type = 'stream' and media_path is null`.execute(db)
}
