import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Why no picture of a track could be read; empty where one was, null where none was needed.
  await db.schema.alterTable('track').addColumn('draft_unread', 'text').execute()

  // With the track's id, so that the first of a window is found without a look at the rows.
  await db.schema.dropIndex('track_last_seen').execute()
  await db.schema
    .createIndex('track_last_seen')
    .on('track')
    .columns(['process_id', 'last_seen_at', 'track_id'])
    .execute()
}
