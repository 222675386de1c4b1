import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * What people leave behind at the console: preferences, what they have seen, what they used by the hour; and what lists of tracks,
 * alert events and deliveries are filtered by. Columns are filled by one statement and indexes built after it, in the migration's
 * transaction: a kill in the middle leaves nothing half done, and memory does not grow with the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPreferences(db)
  await createSeenMarks(db)
  await createUsageHours(db)
  await extendTracks(db)
  await db.schema.alterTable('alert_event').addColumn('classes', 'text').execute()
  await extendDeliveries(db)
}

async function createPreferences(db: Kysely<unknown>): Promise<void> {
  await ofAccount(db, 'preference')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('preference_key', ['account_id', 'name'])
    .execute()
}

/** No references to events and tracks: those are removed by many ways, and marks of what is gone are looked for now and then. */
async function createSeenMarks(db: Kysely<unknown>): Promise<void> {
  await ofAccount(db, 'seen_mark')
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addColumn('track_id', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('seen_mark_key', ['account_id', 'subject_id', 'track_id'])
    .execute()
  // The oldest give way to the watermark.
  await db.schema.createIndex('seen_mark_at').on('seen_mark').columns(['account_id', 'at']).execute()
  await db.schema
    .createTable('seen_until')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id'))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createUsageHours(db: Kysely<unknown>): Promise<void> {
  await ofAccount(db, 'usage_hour')
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('milliseconds', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_hour_key', ['account_id', 'hour'])
    .execute()
}

/** Tracks of before that were enhanced are found by what was found out of them. */
async function extendTracks(db: Kysely<unknown>): Promise<void> {
  for (const column of ['color', 'plate']) await db.schema.alterTable('track').addColumn(column, 'text').execute()
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const textIn = (object: string, name: string) =>
    isSqlite
      ? sql`json_extract(enhanced_data, ${sql.lit(`$.${object}.${name}`)})`
      : sql`(enhanced_data::json -> ${sql.lit(object)} ->> ${sql.lit(name)})`
  const word = (object: string) => sql`coalesce(' ' || ${textIn(object, 'name')}, '')`
  const words = sql`${word('color')} || ${word('upper_color')} || ${word('lower_color')}`
  await sql`update track set color = nullif(${words} || ' ', ' '), plate = upper(${textIn('plate', 'text')})
    where enhanced_data is not null`.execute(db)
  await sql`create index track_plate on track (account_id, plate, first_seen_at) where plate is not null`.execute(db)
}

async function extendDeliveries(db: Kysely<unknown>): Promise<void> {
  for (const column of ['last_status', 'took_ms'])
    await db.schema.alterTable('delivery').addColumn(column, 'bigint').execute()
  await db.schema.createIndex('delivery_state').on('delivery').columns(['account_id', 'state', 'position']).execute()
}

function ofAccount(db: Kysely<unknown>, table: string) {
  return db.schema
    .createTable(table)
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
}
