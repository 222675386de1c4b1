import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Why no picture of a track could be read; empty where one was, null where none was needed.
  await db.schema.alterTable('track').addColumn('draft_unread', 'text').execute()

  // The tracker's own vote over the track's life is what is told: a vote on votes would call it something else.
  await db.schema.alterTable('track').dropColumn('class_votes').execute()

  // What the pictures of a report take, so that nobody has to look at each of them.
  await db.schema
    .alterTable('report')
    .addColumn('picture_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update report set picture_bytes =
    coalesce((select sum(size_bytes) from track_picture where track_picture.process_id = report.process_id), 0)`.execute(
    db,
  )

  // With the track's id, so that the first of a window is found without a look at the rows.
  await db.schema.dropIndex('track_last_seen').execute()
  await db.schema
    .createIndex('track_last_seen')
    .on('track')
    .columns(['process_id', 'last_seen_at', 'track_id'])
    .execute()
}
