import { type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('process')
    .addColumn('is_reported', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  // No references to `process`: what a worker said last may be written after its process is gone, and is swept then.
  await db.schema
    .createTable('report')
    .addColumn('process_id', 'text', (column) => column.primaryKey())
    .addColumn('frames', 'bigint', (column) => column.notNull())
    .addColumn('track_count', 'bigint', (column) => column.notNull())
    .addColumn('last_frame_at', 'bigint')
    .addColumn('last_heard_at', 'bigint')
    .addColumn('enhancement_status', 'text')
    .addColumn('enhancement_reason', 'text')
    .addColumn('enhancement_started_at', 'bigint')
    .addColumn('enhancement_ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('report_enhancement').on('report').column('enhancement_status').execute()

  await db.schema
    .createTable('track')
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'bigint', (column) => column.notNull())
    .addColumn('class_id', 'bigint', (column) => column.notNull())
    .addColumn('class_name', 'text', (column) => column.notNull())
    .addColumn('class_votes', 'text', (column) => column.notNull())
    .addColumn('sightings', 'bigint', (column) => column.notNull())
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('box', 'text', (column) => column.notNull())
    .addColumn('first_location', 'text')
    .addColumn('last_location', 'text')
    .addColumn('enhanced_at', 'bigint')
    .addColumn('enhanced_data', 'text')
    .addPrimaryKeyConstraint('track_key', ['process_id', 'track_id'])
    .execute()

  await db.schema
    .createTable('track_chunk')
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'bigint', (column) => column.notNull())
    .addColumn('chunk', 'bigint', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('times', 'text', (column) => column.notNull())
    .addColumn('confidences', 'text', (column) => column.notNull())
    .addColumn('boxes', 'text', (column) => column.notNull())
    .addColumn('places', 'text', (column) => column.notNull())
    .addColumn('sizes', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('track_chunk_key', ['process_id', 'track_id', 'chunk'])
    .execute()

  await db.schema
    .createTable('track_picture')
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'bigint', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('slot', 'bigint', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('confidence', 'double precision', (column) => column.notNull())
    .addColumn('quality', 'double precision', (column) => column.notNull())
    .addColumn('taken_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('track_picture_key', ['process_id', 'track_id', 'role', 'slot'])
    .execute()
}
