import { type Page, type PageRequest } from '../core/page.ts'
import { endStates, isLive } from '../core/process-facts.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'
import { listPage } from '../storage/queries.ts'
import { type Report } from './report.ts'
import { listUnreported, removeAllTracks, removeOldTracks } from './report-removal.store.ts'

export interface ReportStore {
  find(accountId: string, processId: string): Promise<Report | undefined>
  list(accountId: string, page: PageRequest): Promise<Page<Report>>
  /** The processes that were on a source in this time, the oldest first. */
  listOnSource(accountId: string, sourceId: string, stretch: Stretch): Promise<string[]>
  isReported(processId: string): Promise<boolean>
  /**
   * The first step of a removal, done at once: of a process that has ended nobody finds the report any more, and it answers true;
   * one that lives goes on with an empty one as soon as its tracks are removed.
   */
  hide(processId: string): Promise<boolean>
  /** Nothing more is kept for this account. Answers whose tracks and files must go. */
  hideAllOf(accountId: string): Promise<string[]>
  /** The second step, which may take a while. What a crash leaves of it is swept. */
  removeTracks(processId: string): Promise<void>
  /** Processes that ended before. */
  listEndedBefore(time: number, limit: number): Promise<string[]>
  /** Of processes that go on: what was last seen before. Answers the files that must go. */
  removeTracksBefore(time: number): Promise<string[]>
  /** Rows that nobody's report holds any more. */
  removeUnknown(): Promise<void>
}

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

  return {
    async find(accountId, processId) {
      const row = await reports()
        .where('process.account_id', '=', accountId)
        .where('process.id', '=', processId)
        .executeTakeFirst()
      return row && toReport(row)
    },
    list: (accountId, page) =>
      listPage(reports().where('process.account_id', '=', accountId), page, toReport, 'process.id'),
    async listOnSource(accountId, sourceId, { from, to }) {
      const rows = await db
        .selectFrom('process')
        .select('id')
        .where('source_id', '=', sourceId)
        .where('account_id', '=', accountId)
        .where('is_reported', '=', 1)
        .where('created_at', '<', to)
        .where((eb) => eb.or([eb('stopped_at', 'is', null), eb('stopped_at', '>', from)]))
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    async isReported(processId) {
      const query = db.selectFrom('process').select('id').where('id', '=', processId).where('is_reported', '=', 1)
      return (await query.executeTakeFirst()) !== undefined
    },
    hide: (processId) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('process')
          .set({ is_reported: 0 })
          .where('id', '=', processId)
          .where('state', 'in', endStates)
          .executeTakeFirst()
        await tx.deleteFrom('report').where('process_id', '=', processId).execute()
        return numUpdatedRows > 0n
      }),
    hideAllOf: (accountId) =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .updateTable('process')
          .set({ is_reported: 0 })
          .where('account_id', '=', accountId)
          .where('is_reported', '=', 1)
          .returning('id')
          .execute()
        for (const { id } of rows) await tx.deleteFrom('report').where('process_id', '=', id).execute()
        return rows.map(({ id }) => id)
      }),
    removeTracks: (processId) => removeAllTracks(db, processId),
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
    async removeTracksBefore(time) {
      const living = await db
        .selectFrom('process')
        .select('id')
        .where('is_reported', '=', 1)
        .where('created_at', '<', time)
        .where('state', 'not in', endStates)
        .execute()
      const files: string[] = []
      for (const { id } of living) files.push(...(await removeOldTracks(db, id, time)))
      return files
    },
    async removeUnknown() {
      for (const processId of await listUnreported(db)) {
        await removeAllTracks(db, processId)
        await db.deleteFrom('report').where('process_id', '=', processId).execute()
      }
    },
  }
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
    isLive: isLive(process.state),
    trackCount: trackCount ?? 0,
    lastFrame: takenAt === null || heardAt === null ? null : { takenAt, heardAt },
    enhancement: status && { status, reason, startedAt: enhancementStartedAt ?? 0, endedAt: enhancementEndedAt },
  }
}
