import { type Kysely } from 'kysely'

interface Before {
  alert: { id: string; setup: string }
}

/** Types whose notifications are spaced from now on. */
const spaced: readonly string[] = ['grid-density', 'flow-control']

export async function up(db: Kysely<Before>): Promise<void> {
  await db.schema
    .alterTable('alert')
    .addColumn('has_sources', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('alert_source')
    .addColumn('alert_id', 'text', (column) => column.notNull().references('alert.id').onDelete('cascade'))
    .addColumn('source_id', 'text', (column) => column.notNull().references('source.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('alert_source_key', ['alert_id', 'source_id'])
    .execute()
  await db.schema.createIndex('alert_source_source').on('alert_source').column('source_id').execute()

  // Alerts that are there go on as they were set up: each event is sent at once.
  for (const { id, setup } of await db.selectFrom('alert').select(['id', 'setup']).execute()) {
    const parsed = JSON.parse(setup) as { type: string; trigger: object }
    if (!spaced.includes(parsed.type)) continue
    const trigger = { ...parsed.trigger, cooldown_seconds: 0 }
    await db
      .updateTable('alert')
      .set({ setup: JSON.stringify({ ...parsed, trigger }) })
      .where('id', '=', id)
      .execute()
  }
}
