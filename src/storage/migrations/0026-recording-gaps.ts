import { type Kysely } from 'kysely'

/** What was missed before a segment is known by a clock that nobody sets; of those that exist there is only the wall clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('recording_segment').addColumn('gap_ms', 'bigint').execute()
}
