import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What an enhancement has found out so far: it is shown when it is complete.
  await db.schema.alterTable('track').addColumn('draft_at', 'bigint').execute()
  await db.schema.alterTable('track').addColumn('draft_data', 'text').execute()

  // What the hourly sweep asks for.
  await db.schema.createIndex('track_last_seen').on('track').columns(['process_id', 'last_seen_at']).execute()
  await db.schema.createIndex('track_chunk_last').on('track_chunk').columns(['process_id', 'last_at']).execute()
  await db.schema.createIndex('process_reported').on('process').columns(['is_reported', 'stopped_at']).execute()
}
