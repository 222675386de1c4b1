import { gzipSync } from 'node:zlib'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrate, schemaVersions } from '../../../src/storage/migrate.ts'
import { tableNames } from '../../../src/storage/schema.ts'
import { type Json, mutateJson } from '../mutate-json.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutate } from '../mutate.ts'
import { type Random } from '../random.ts'

type Line = { readonly [name: string]: Json }

/** What a backup of one version of the tables holds: a row of each. */
export interface BackupSeed {
  readonly header: Line
  readonly rows: readonly Line[]
}

/** Of the first version, one between and the newest. */
export async function backupSeeds(folder: string): Promise<BackupSeed[]> {
  const versions = [0, Math.floor(schemaVersions.length / 2), schemaVersions.length - 1].map(
    (at) => schemaVersions[at]!,
  )
  return Promise.all(versions.map((version) => backupSeed(folder, version)))
}

async function backupSeed(folder: string, version: string): Promise<BackupSeed> {
  const database = openDatabase(`sqlite:${folder}/${version}.db`)
  await migrate(database.db, version)
  const tables = await database.db.introspection.getTables()
  await database.close()
  const rows = tableNames.flatMap((name) => {
    const table = tables.find((one) => one.name === name)
    if (!table) return []
    const row = Object.fromEntries(table.columns.map((column) => [column.name, valueFor(column.name, column.dataType)]))
    return [{ table: name, row }]
  })
  const files = { 'master.key': 'secret', 'link.secret': 's'.repeat(43), 'config.yml': 'AERIE_HTTP_PORT: 80' }
  return { header: { format: 'aerie-backup-1', schema_version: version, created_at: '2026-01-01', files }, rows }
}

/** Ids are all the same, so that rows which refer to others find them. */
function valueFor(column: string, dataType: string): Json {
  if (/^(id|.+_id)$/.test(column)) return '1'
  if (/int|real|numeric|double/i.test(dataType)) return 1
  if (/cfg|setup|payload|options|stats|state/.test(column)) return '{}'
  // A secret is refused that can be guessed.
  if (column === 'value') return 's'.repeat(43)
  return column === 'file' ? 'a/b.mp4' : column
}

/** A backup of which lines, values or bytes are others. Most of them are still read to their end. */
export function backupFile(seed: BackupSeed, random: Random): Buffer {
  const rows = random.oneIn(2) ? seed.rows : mutateOrder(seed.rows, random)
  const victim = random.below(rows.length * 2)
  const lines = rows.map((row, at) => (at === victim ? mutateJson(row, random) : Buffer.from(JSON.stringify(row))))
  const header = random.oneIn(10) ? mutateJson(seed.header, random) : Buffer.from(JSON.stringify(seed.header))
  const end = random.oneIn(10) ? mutateJson({ rows: rows.length }, random) : Buffer.from(`{"rows":${rows.length}}`)
  const text = Buffer.concat([header, ...lines, end].flatMap((line) => [line, Buffer.from('\n')]))
  const changed = random.oneIn(10) ? mutate(text, random) : text
  const packed = gzipSync(random.oneIn(40) ? Buffer.concat([changed, Buffer.alloc(3 * 2 ** 20, 0x20)]) : changed, {
    level: 1,
  })
  return random.oneIn(6) ? mutate(packed, random) : packed
}
