import { type Kysely, sql, SqliteAdapter } from 'kysely'

/**
 * What tracks are searched by, on the track itself: an account's come from one index each, in the order of time, whatever else there is.
 * The columns are filled by one statement and the indexes built after it, in the migration's transaction: a kill in the middle leaves
 * nothing half done, and memory does not grow with the table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['account_id', 'source_id'])
    await db.schema
      .alterTable('track')
      .addColumn(column, 'text', (definition) => definition.notNull().defaultTo(''))
      .execute()
  await db.schema
    .alterTable('track')
    .addColumn('span', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const column of [
    'max_confidence',
    'first_latitude',
    'first_longitude',
    'last_latitude',
    'last_longitude',
  ] as const)
    await db.schema.alterTable('track').addColumn(column, 'double precision').execute()
  await fill(db)

  const indexes = {
    track_account: [],
    track_process: ['process_id'],
    track_source: ['source_id'],
    track_class: ['class_name'],
    track_span: ['span'],
  }
  for (const [name, columns] of Object.entries(indexes))
    await db.schema
      .createIndex(name)
      .on('track')
      .columns(['account_id', ...columns, 'first_seen_at'])
      .execute()
  // Where nothing has a place these are empty.
  for (const which of ['first', 'last'])
    await sql`create index ${sql.ref(`track_${which}_place`)} on track
      (account_id, ${sql.ref(`${which}_latitude`)}, ${sql.ref(`${which}_longitude`)})
      where ${sql.ref(`${which}_latitude`)} is not null`.execute(db)
}

/** Of tracks that are there. Their highest confidence stays unknown: it stands in their history only. */
async function fill(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const numberIn = (column: string, name: string) =>
    isSqlite
      ? sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)})`
      : sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})::double precision`
  const ofProcess = (column: string) =>
    sql`coalesce((select process.${sql.ref(column)} from process where process.id = track.process_id), '')`
  const shorterThan = Array.from(
    { length: 13 },
    (_, level) => sql`when last_seen_at - first_seen_at < ${sql.lit(1000 * 4 ** level)} then ${sql.lit(level)}`,
  )
  await sql`update track set
    account_id = ${ofProcess('account_id')},
    source_id = ${ofProcess('source_id')},
    span = case ${sql.join(shorterThan, sql` `)} else 13 end,
    first_latitude = ${numberIn('first_location', 'latitude')},
    first_longitude = ${numberIn('first_location', 'longitude')},
    last_latitude = ${numberIn('last_location', 'latitude')},
    last_longitude = ${numberIn('last_location', 'longitude')}`.execute(db)
}
