import { setImmediate as nextRound } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db } from '../storage/database.ts'

/** Rows of so many tracks go at once: a report may have hundreds of thousands, and SQLite works on the main thread. */
const TRACKS_AT_ONCE = 1_000
const trackTables = ['track_picture', 'track_chunk', 'track'] as const

/** Removes all that is written of a process's tracks, a part at a time, each for good. */
export async function removeAllTracks(db: Db, processId: string): Promise<void> {
  for (const table of trackTables) {
    for (;;) {
      // By ranges of ids, since what a crash left behind may be in one table only.
      const last = await db
        .selectFrom(
          db
            .selectFrom(table)
            .select('track_id')
            .where('process_id', '=', processId)
            .orderBy('track_id')
            .limit(TRACKS_AT_ONCE)
            .as('some'),
        )
        .select((eb) => eb.fn.max<number | null>('some.track_id').as('trackId'))
        .executeTakeFirstOrThrow()
      if (last.trackId === null) break
      await db.deleteFrom(table).where('process_id', '=', processId).where('track_id', '<=', last.trackId).execute()
      await nextRound()
    }
  }
}

/** Removes what was last seen before, a part at a time. Answers the files that must go. */
export async function removeOldTracks(db: Db, processId: string, time: number): Promise<string[]> {
  const files: string[] = []
  for (;;) {
    const removed = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom('track')
        .select('track_id')
        .where('process_id', '=', processId)
        .where('last_seen_at', '<', time)
        .limit(TRACKS_AT_ONCE)
        .execute()
      if (rows.length === 0) return rows
      const ids = rows.map(({ track_id }) => track_id)
      const pictures = await tx
        .deleteFrom('track_picture')
        .where('process_id', '=', processId)
        .where('track_id', 'in', ids)
        .returning(['file', 'size_bytes'])
        .execute()
      for (const table of ['track_chunk', 'track'] as const)
        await tx.deleteFrom(table).where('process_id', '=', processId).where('track_id', 'in', ids).execute()
      const bytes = pictures.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
      await tx
        .updateTable('report')
        .set((eb) => ({
          track_count: eb('track_count', '-', rows.length),
          picture_bytes: eb('picture_bytes', '-', bytes),
        }))
        .where('process_id', '=', processId)
        .execute()
      files.push(...pictures.map(({ file }) => file))
      return rows
    })
    if (removed.length < TRACKS_AT_ONCE) break
    await nextRound()
  }
  // Also the old part of what is still seen.
  await db.deleteFrom('track_chunk').where('process_id', '=', processId).where('last_at', '<', time).execute()
  return files
}

/** Processes with rows, but without a report. */
export async function listUnreported(db: Db): Promise<string[]> {
  const found = new Set<string>()
  for (const table of [...trackTables, 'report'] as const)
    for (const processId of await listUnreportedIn(db, table)) found.add(processId)
  return [...found]
}

/** From one process to the next by the table's key (a loose index scan), since a table has ten thousand rows for each. */
async function listUnreportedIn(db: Db, table: (typeof trackTables)[number] | 'report'): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive held(id) as (
      select min(process_id) from ${sql.table(table)}
      union all
      select (select min(process_id) from ${sql.table(table)} where process_id > held.id) from held where held.id is not null
    )
    select held.id as id from held
    where held.id is not null
      and not exists (select 1 from process where process.id = held.id and process.is_reported = 1)`.execute(db)
  return rows.map(({ id }) => id)
}
