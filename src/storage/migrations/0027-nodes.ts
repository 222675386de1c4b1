import { type Kysely, sql } from 'kysely'

/** Several nodes may serve one database. What belongs to no node is that of a service of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  for (const table of ['process', 'source'])
    for (const [column, type] of [
      ['node_id', 'text'],
      ['node_epoch', 'bigint'],
    ] as const)
      await db.schema.alterTable(table).addColumn(column, type).execute()
  await db.schema.alterTable('process').addColumn('placement', 'text').execute()
  await db.schema.alterTable('recording').addColumn('node_id', 'text').execute()
  await db.schema.alterTable('job').addColumn('node_id', 'text').execute()
  await db.schema.alterTable('delivery').addColumn('process_id', 'text').execute()
  await db.schema.createIndex('process_node').on('process').columns(['node_id', 'node_epoch']).execute()
  // Every ten seconds a node sums up the segments that it keeps: by these alone, and not by those of all nodes.
  await db.schema.dropIndex('recording_segment_recording').execute()
  await db.schema
    .createIndex('recording_segment_recording')
    .on('recording_segment')
    .columns(['recording_id', 'started_at', 'account_id', 'size_bytes'])
    .execute()
  await db.schema.createIndex('process_source').on('process').column('source_id').execute()
  await attributeDeliveries(db)
  // Asked for every second: which cameras a node calls, and which processes have something left to be done.
  await sql`create index source_pulled on source (node_id) where is_pulled = 1`.execute(db)
  await sql`create index delivery_waiting on delivery (process_id) where state = 'waiting'`.execute(db)
  await sql`create index alert_sequence_progress on alert_sequence (process_id) where progress is not null`.execute(db)
  await sql`create index webhook_subscription_active on webhook_subscription (process_id) where ended_at is null`.execute(
    db,
  )
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('node')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('is_alive', 'integer', (column) => column.notNull())
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('rtsp_url', 'text')
    .addColumn('labels', 'text', (column) => column.notNull())
    .addColumn('load', 'text')
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('schema_version', 'text', (column) => column.notNull())
    .addColumn('is_draining', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('live_path')
    .addColumn('path', 'text', (column) => column.primaryKey())
    .addColumn('node_id', 'text', (column) => column.notNull())
    .addColumn('node_epoch', 'bigint', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('protocol', 'text', (column) => column.notNull())
    .addColumn('video', 'text')
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('service_secret')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}

/** What waits is sent by the node of its process, which older versions did not write down. */
async function attributeDeliveries(db: Kysely<unknown>): Promise<void> {
  await sql`update delivery set process_id = (select process_id from webhook_subscription
      where webhook_subscription.id = substr(delivery.channel, 9))
    where state = 'waiting' and channel like 'webhook:%'`.execute(db)
  await sql`update delivery set process_id = (select process_id from alert_channel
      where alert_channel.channel = delivery.channel)
    where state = 'waiting' and process_id is null`.execute(db)
}
