import { sql } from 'kysely'
import { type Page, type PageRequest, toPage } from '../core/page.ts'
import { endStates } from '../core/process-states.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type Report } from './report.ts'

export interface ReportStore {
  find(accountId: string, processId: string): Promise<Report | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Report>>
  isReported(processId: string): Promise<boolean>
  /**
   * Removes what the report holds. Of a process that has ended the report itself goes too; one that lives goes on with
   * an empty one.
   */
  remove(processId: string): Promise<void>
  /** Nothing more is kept for this account. Answers whose files must go. */
  removeAllOf(accountId: string): Promise<string[]>
  /** Processes that ended before. */
  listEndedBefore(time: number, limit: number): Promise<string[]>
  /** Of processes that go on: what was last seen before. Answers the files that must go. */
  removeTracksBefore(time: number): Promise<string[]>
  /** Rows that nobody's report holds any more. */
  removeUnknown(): Promise<void>
}

const trackTables = ['track_picture', 'track_chunk', 'track'] as const

export function createReportStore(db: Db): ReportStore {
  const reports = () =>
    db
      .selectFrom('process')
      .leftJoin('source', 'source.id', 'process.source_id')
      .leftJoin('report', 'report.process_id', 'process.id')
      .select([
        'process.id as id',
        'process.account_id as accountId',
        'process.source_id as sourceId',
        'source.alias as alias',
        'process.state as state',
        'process.created_at as createdAt',
        'process.started_at as startedAt',
        'process.stopped_at as stoppedAt',
        'report.track_count as trackCount',
        'report.last_frame_at as takenAt',
        'report.last_heard_at as heardAt',
        'report.enhancement_status as status',
        'report.enhancement_reason as reason',
        'report.enhancement_started_at as enhancementStartedAt',
        'report.enhancement_ended_at as enhancementEndedAt',
      ])
      .where('process.is_reported', '=', 1)

  async function removeRows(tx: Queryable, processId: string): Promise<void> {
    for (const table of trackTables) await tx.deleteFrom(table).where('process_id', '=', processId).execute()
    await tx.deleteFrom('report').where('process_id', '=', processId).execute()
  }

  return {
    async find(accountId, processId) {
      const row = await reports()
        .where('process.account_id', '=', accountId)
        .where('process.id', '=', processId)
        .executeTakeFirst()
      return row && toReport(row)
    },
    async list(accountId, page) {
      const query = reports().where('process.account_id', '=', accountId)
      const rows = await (page.cursor ? query.where('process.id', '<', page.cursor) : query)
        .orderBy('process.id', 'desc')
        .limit(page.limit + 1)
        .execute()
      return toPage(rows.map(toReport), page)
    },
    async isReported(processId) {
      const query = db.selectFrom('process').select('id').where('id', '=', processId).where('is_reported', '=', 1)
      return (await query.executeTakeFirst()) !== undefined
    },
    remove: (processId) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('process')
          .set({ is_reported: 0 })
          .where('id', '=', processId)
          .where('state', 'in', endStates)
          .execute()
        await removeRows(tx, processId)
      }),
    removeAllOf: (accountId) =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .updateTable('process')
          .set({ is_reported: 0 })
          .where('account_id', '=', accountId)
          .where('is_reported', '=', 1)
          .returning('id')
          .execute()
        for (const { id } of rows) await removeRows(tx, id)
        return rows.map(({ id }) => id)
      }),
    async listEndedBefore(time, limit) {
      const rows = await db
        .selectFrom('process')
        .select('id')
        .where('is_reported', '=', 1)
        .where('state', 'in', endStates)
        .where('stopped_at', '<', time)
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
    removeTracksBefore: (time) =>
      db.transaction().execute(async (tx) => {
        const living = await tx
          .selectFrom('process')
          .select('id')
          .where('is_reported', '=', 1)
          .where('created_at', '<', time)
          .where('state', 'not in', endStates)
          .execute()
        const files: string[] = []
        for (const { id } of living) files.push(...(await removeOldTracks(tx, id, time)))
        return files
      }),
    async removeUnknown() {
      for (const table of [...trackTables, 'report'] as const)
        for (const processId of await listUnknown(db, table))
          await db.deleteFrom(table).where('process_id', '=', processId).execute()
    },
  }
}

/**
 * Processes with rows in a table, but without a report. From one process to the next by the table's key (a loose index scan), since a table
 * has ten thousand rows for each.
 */
async function listUnknown(db: Db, table: (typeof trackTables)[number] | 'report'): Promise<string[]> {
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

async function removeOldTracks(tx: Queryable, processId: string, time: number): Promise<string[]> {
  const ofOldTracks = () =>
    tx.selectFrom('track').select('track_id').where('process_id', '=', processId).where('last_seen_at', '<', time)
  const pictures = await tx
    .deleteFrom('track_picture')
    .where('process_id', '=', processId)
    .where('track_id', 'in', ofOldTracks())
    .returning('file')
    .execute()
  // Also the old part of what is still seen.
  await tx.deleteFrom('track_chunk').where('process_id', '=', processId).where('last_at', '<', time).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('track')
    .where('process_id', '=', processId)
    .where('last_seen_at', '<', time)
    .executeTakeFirst()
  await tx
    .updateTable('report')
    .set((eb) => ({ track_count: eb('track_count', '-', Number(numDeletedRows)) }))
    .where('process_id', '=', processId)
    .execute()
  return pictures.map(({ file }) => file)
}

interface JoinedRow extends Omit<Report, 'isLive' | 'trackCount' | 'lastFrame' | 'enhancement'> {
  readonly trackCount: number | null
  readonly takenAt: number | null
  readonly heardAt: number | null
  readonly status: NonNullable<Report['enhancement']>['status'] | null
  readonly reason: string | null
  readonly enhancementStartedAt: number | null
  readonly enhancementEndedAt: number | null
}

function toReport(row: JoinedRow): Report {
  const { trackCount, takenAt, heardAt, status, reason, enhancementStartedAt, enhancementEndedAt, ...process } = row
  return {
    ...process,
    isLive: !(endStates as readonly string[]).includes(process.state),
    trackCount: trackCount ?? 0,
    lastFrame: takenAt === null || heardAt === null ? null : { takenAt, heardAt },
    enhancement: status && { status, reason, startedAt: enhancementStartedAt ?? 0, endedAt: enhancementEndedAt },
  }
}
