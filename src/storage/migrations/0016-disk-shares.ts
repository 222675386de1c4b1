import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

interface FileSource {
  id: string
  alias: string
  telemetry_cfg: string | null
  content_sha256: string
}

export async function up(db: Kysely<unknown>): Promise<void> {
  // A file may belong to several sources of its account. Those that are there keep their names, after their source.
  await db.schema.alterTable('source').addColumn('content_sha256', 'text').execute()
  await db.schema.alterTable('source').addColumn('file', 'text').execute()
  await sql`update source set content_sha256 = substr(fingerprint, 6),
    file = id || lower(substr(input_url, length(input_url) - 3)) where type = 'file'`.execute(db)
  await db.schema.createIndex('source_file').on('source').column('file').execute()

  // A file is the same source if alias and telemetry are the same too.
  const { rows } = await sql<FileSource>`select id, alias, telemetry_cfg, content_sha256 from source
    where type = 'file'`.execute(db)
  for (const { id, alias, telemetry_cfg: cfg, content_sha256: content } of rows) {
    const identity = JSON.stringify([content, alias, cfg === null ? null : sorted(JSON.parse(cfg))])
    const fingerprint = `file:${createHash('sha256').update(identity).digest('hex')}`
    await sql`update source set fingerprint = ${fingerprint} where id = ${id}`.execute(db)
  }

  // With its account, so that what each one holds, and its oldest, are read from an index alone.
  await db.schema
    .alterTable('recording_segment')
    .addColumn('account_id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await sql`update recording_segment set account_id =
    (select account_id from recording where recording.id = recording_segment.recording_id)`.execute(db)
  await db.schema
    .createIndex('recording_segment_account')
    .on('recording_segment')
    .columns(['account_id', 'started_at', 'duration_ms', 'size_bytes'])
    .execute()
}

/** The same JSON whatever the order of its keys. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
