import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/**
 * What stands on recordings: what was seen in them, alerts and clips kept beside them, people who are told, and rights on single
 * sources. Columns are filled by one statement each and indexes built after it, in the migration's transaction: a kill in the middle
 * leaves nothing half done, and memory does not grow with the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await extendSegments(db)
  await extendSources(db)
  await extendAccounts(db)
  await createDetectionTables(db)
  await createAlertEvents(db)
  await createClips(db)
  await createContacts(db)
  await createSourceRights(db)
}

async function extendSegments(db: Kysely<unknown>): Promise<void> {
  const add = () => db.schema.alterTable('recording_segment')
  await add()
    .addColumn('source_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await add()
    .addColumn('importance', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await add().addColumn('rest_until', 'bigint').execute()
  await add().addColumn('fragments', 'text').execute()
  await sql`update recording_segment set source_id = coalesce(
    (select source_id from recording where recording.id = recording_segment.recording_id), '')`.execute(db)
  await addIndex(db, 'recording_segment', 'source', ['source_id', 'started_at'])
  // What goes first when there is no room.
  await addIndex(db, 'recording_segment', 'importance', ['account_id', 'importance', 'started_at'])
  await sql`create index recording_segment_rest on recording_segment (rest_until)
    where rest_until is not null and importance = 0`.execute(db)
}

async function extendSources(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('source')
    .addColumn('recording_mode', 'text', (column) => column.notNull().defaultTo('always'))
    .execute()
  await db.schema.alterTable('source').addColumn('recording_classes', 'text').execute()
  await sql`update source set recording_mode = 'off' where record = 0`.execute(db)
}

/** Keys of before keep all of a recording for as long as they kept it. */
async function extendAccounts(db: Kysely<unknown>): Promise<void> {
  for (const column of ['track_retention_days', 'alert_retention_days'])
    await db.schema
      .alterTable('account')
      .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
      .execute()
  await sql`update account set track_retention_days = recording_retention_days,
    alert_retention_days = recording_retention_days`.execute(db)
}

async function createDetectionTables(db: Kysely<unknown>): Promise<void> {
  await addColumns(withId(db, 'detection_file'), {
    texts: ['account_id', 'source_id', 'process_id', 'file', 'minutes'],
    numbers: ['started_at', 'ended_at', 'is_open', 'looks', 'size_bytes'],
    optional: { node_id: 'text' },
  }).execute()
  await addIndex(db, 'detection_file', 'source', ['source_id', 'started_at'])
  await addIndex(db, 'detection_file', 'process', ['process_id'])
  // What each account holds on a node, and its oldest, are read from the index alone: `minutes` is large.
  await addIndex(db, 'detection_file', 'node', ['node_id', 'account_id', 'started_at', 'is_open', 'size_bytes'])

  await addColumns(db.schema.createTable('process_state_change'), {
    texts: ['process_id', 'account_id', 'source_id', 'state'],
    numbers: ['at'],
    optional: { reason: 'text' },
  })
    .addPrimaryKeyConstraint('process_state_change_key', ['process_id', 'at'])
    .execute()
  await addIndex(db, 'process_state_change', 'source', ['source_id', 'at'])
}

/** No references to alerts and processes: what was notified of stays when they are gone. */
async function createAlertEvents(db: Kysely<unknown>): Promise<void> {
  await addColumns(withId(db, 'alert_event'), {
    texts: ['account_id', 'source_id', 'process_id', 'alert_id', 'alias', 'type', 'event', 'data'],
    numbers: ['at', 'started_at', 'sequence', 'size_bytes'],
    optional: { file: 'text' },
  }).execute()
  // With the size, so that what each account holds is read from the index alone: `data` is large.
  await addIndex(db, 'alert_event', 'account', ['account_id', 'at', 'size_bytes'])
  await addIndex(db, 'alert_event', 'source', ['source_id', 'at'])
  await addIndex(db, 'alert_event', 'alert', ['alert_id', 'at'])
}

async function createClips(db: Kysely<unknown>): Promise<void> {
  await addColumns(
    withId(db, 'clip').addColumn('account_id', 'text', (column) => column.notNull().references('account.id')),
    {
      texts: ['source_id', 'alias', 'kind', 'state', 'parts', 'gaps'],
      numbers: ['from_at', 'to_at', 'with_boxes', 'progress', 'size_bytes', 'attempts', 'created_at'],
      optional: {
        process_id: 'text',
        track_id: 'bigint',
        event_id: 'text',
        unique_key: 'text',
        error: 'text',
        note: 'text',
        node_id: 'text',
        started_at: 'bigint',
        finished_at: 'bigint',
        used_at: 'bigint',
      },
    },
  ).execute()
  await addIndex(db, 'clip', 'account', ['account_id', 'id'])
  await addIndex(db, 'clip', 'used', ['kind', 'used_at'])
  await sql`create unique index clip_unique_key on clip (unique_key) where unique_key is not null`.execute(db)
}

async function createContacts(db: Kysely<unknown>): Promise<void> {
  await addColumns(
    withId(db, 'contact').addColumn('account_id', 'text', (column) => column.notNull().references('account.id')),
    {
      texts: ['alias', 'type', 'config'],
      numbers: ['max_per_minute', 'minute_sent', 'created_at'],
      optional: {
        quiet_hours: 'text',
        minute_at: 'bigint',
        last_turn_id: 'text',
        held: 'text',
        held_process_id: 'text',
        last_sent_at: 'bigint',
        problem: 'text',
      },
    },
  ).execute()
  await addIndex(db, 'contact', 'account', ['account_id', 'id'])
  // Asked for every few seconds by every node.
  await sql`create index contact_held on contact (held_process_id) where held is not null`.execute(db)

  const devices = withId(db, 'contact_device').addColumn('contact_id', 'text', (column) =>
    column.notNull().references('contact.id').onDelete('cascade'),
  )
  await addColumns(devices, { texts: ['name', 'endpoint', 'p256dh', 'auth'], numbers: ['created_at'] }).execute()
  await addIndex(db, 'contact_device', 'contact', ['contact_id'])
}

async function createSourceRights(db: Kysely<unknown>): Promise<void> {
  const table = db.schema
    .createTable('source_right')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('source_id', 'text', (column) => column.notNull().references('source.id').onDelete('cascade'))
  await addColumns(table, { texts: ['rights'], numbers: ['created_at'] })
    .addPrimaryKeyConstraint('source_right_key', ['account_id', 'source_id'])
    .execute()
  await addIndex(db, 'source_right', 'source', ['source_id'])
}

function withId(db: Kysely<unknown>, table: string): CreateTableBuilder<string, string> {
  return db.schema.createTable(table).addColumn('id', 'text', (column) => column.primaryKey())
}

interface Columns {
  readonly texts: readonly string[]
  readonly numbers: readonly string[]
  /** Those that may be null, by their types. */
  readonly optional?: Readonly<Record<string, 'text' | 'bigint'>>
}

function addColumns(
  to: CreateTableBuilder<string, string>,
  { texts, numbers, optional = {} }: Columns,
): CreateTableBuilder<string, string> {
  let table = to
  for (const column of texts) table = table.addColumn(column, 'text', (definition) => definition.notNull())
  for (const column of numbers) table = table.addColumn(column, 'bigint', (definition) => definition.notNull())
  for (const [column, type] of Object.entries(optional)) table = table.addColumn(column, type)
  return table
}

async function addIndex(db: Kysely<unknown>, table: string, name: string, columns: readonly string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_${name}`)
    .on(table)
    .columns([...columns])
    .execute()
}
