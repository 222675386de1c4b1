import { type Kysely, sql } from 'kysely'

/** The first master's old default of each limit, and what it has from now on. */
const raised = {
  max_sources: [50, 1000],
  max_outputs: [50, 1000],
  max_attached_outputs: [8, 8],
  max_processes: [4, 1000],
  max_video_upload_size_bytes: [500 * 2 ** 20, 500 * 2 ** 20],
  total_storage_size_bytes: [10 * 2 ** 30, 2 ** 40],
  max_hls_streams: [16, 64],
  max_webrtc_sessions: [100, 500],
} as const

export async function up(db: Kysely<unknown>): Promise<void> {
  await raiseFirstMaster(db)
  await meterMilliseconds(db)
}

async function raiseFirstMaster(db: Kysely<unknown>): Promise<void> {
  // From now on children may do no more than their master. What the operator gave to those of the first one stays theirs,
  // unless somebody has set a limit of that master's by hand.
  for (const [name, [before, after]] of Object.entries(raised)) {
    const column = sql.ref(name)
    const { rows } = await sql<{ given: number | null }>`select max(${column}) as given from account
      where revoked_at is null and master_id = (select id from account where username = 'admin')`.execute(db)
    await sql`update account set ${column} = ${Math.max(after, rows[0]?.given ?? 0)}
      where username = 'admin' and ${column} = ${before}`.execute(db)
  }
}

/** Whole seconds were charged run by run, so that runs of less than one cost nothing. */
async function meterMilliseconds(db: Kysely<unknown>): Promise<void> {
  for (const [table, before, after] of [
    ['charge', 'seconds', 'milliseconds'],
    ['process', 'consumed_seconds', 'consumed_ms'],
  ] as const) {
    await db.schema
      .alterTable(table)
      .addColumn(after, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update ${sql.table(table)} set ${sql.ref(after)} = ${sql.ref(before)} * 1000`.execute(db)
    await db.schema.alterTable(table).dropColumn(before).execute()
  }
  await db.schema
    .alterTable('account')
    .addColumn('uncharged_ms', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
