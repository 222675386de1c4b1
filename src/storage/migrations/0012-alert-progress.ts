import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // What is on and what is found, so that a crash leaves nothing on for ever.
  await db.schema.alterTable('alert_sequence').addColumn('progress', 'text').execute()

  // A channel has its destination in its name: once an output was corrected, nobody else knows the old ones.
  await db.schema
    .createTable('alert_channel')
    .addColumn('channel', 'text', (column) => column.primaryKey())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('alert_channel_alert').on('alert_channel').column('alert_id').execute()
  // Until now they were named `alert:<alert>:<process>:<index of the output>`.
  await sql`insert into alert_channel (channel, alert_id, process_id)
    select distinct channel, substr(channel, 7, 36), substr(channel, 44, 36) from delivery where channel like 'alert:%'`.execute(
    db,
  )
}
