import { type Account } from '../core/words.ts'
import { type EnhancedData } from '../enhance/messages.ts'
import { type Db, lockAccount } from '../storage/database.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { countSlots } from '../storage/process-slots.ts'
import { type EnhancementStatus, type SizeNumbers } from './report.ts'
import { fromList } from './stored-track.ts'

/** One enhancement of one report; a later one of the same report is another run. */
export interface EnhancementRun {
  readonly processId: string
  readonly startedAt: number
}

export type BeginOutcome = 'begun' | 'running' | 'finished' | 'process-limit-reached' | 'usage-limit-reached'

/** A track that the enhancement has not come to. */
export interface WaitingTrack {
  readonly trackId: number
  readonly className: string
}

export interface EnhancementStore {
  /** Takes a process slot, and notes the job in the same transaction. `isAgain` begins anew also what is finished. */
  begin(account: Account, run: EnhancementRun, isAgain: boolean): Promise<BeginOutcome>
  /** Whether the run is still wanted: its report may have been deleted. */
  isRunning(run: EnhancementRun): Promise<boolean>
  end(run: EnhancementRun, status: EnhancementStatus, reason: string | null, now: number): Promise<void>
  listWaiting(processId: string, limit: number): Promise<WaitingTrack[]>
  listSizes(processId: string, trackId: number): Promise<SizeNumbers[]>
  /** Null where nothing could be read. */
  put(processId: string, trackId: number, data: EnhancedData | null, now: number): Promise<void>
  progress(processId: string): Promise<{ done: number; read: number; total: number }>
}

export const ENHANCEMENT_JOB = 'report-enhancement'
/** The last ones of a track that are looked at for its size; more would not make the median better. */
const SIZE_CHUNKS = 8

export function createEnhancementStore(db: Db, jobs: Pick<JobStore, 'add'>): EnhancementStore {
  return {
    begin: (account, { processId, startedAt }, isAgain) =>
      db.transaction().execute(async (tx) => {
        // Starts of processes and enhancements of one account wait for each other here.
        await lockAccount(tx, account.id)
        const { enhancement_status: status } = (await tx
          .selectFrom('report')
          .select('enhancement_status')
          .where('process_id', '=', processId)
          .executeTakeFirst()) ?? { enhancement_status: null }
        if (status === 'RUNNING') return 'running'
        if (status === 'FINISHED' && !isAgain) return 'finished'
        if ((await countSlots(tx, account.id)) >= account.limits.maxProcesses) return 'process-limit-reached'
        const { remaining_seconds: remaining } = await tx
          .selectFrom('account')
          .select('remaining_seconds')
          .where('id', '=', account.id)
          .executeTakeFirstOrThrow()
        if (remaining <= 0) return 'usage-limit-reached'

        const begun = {
          enhancement_status: 'RUNNING',
          enhancement_reason: null,
          enhancement_started_at: startedAt,
          enhancement_ended_at: null,
        } as const
        await tx
          .insertInto('report')
          .values({
            process_id: processId,
            frames: 0,
            track_count: 0,
            last_frame_at: null,
            last_heard_at: null,
            ...begun,
          })
          .onConflict((conflict) => conflict.column('process_id').doUpdateSet(begun))
          .execute()
        await tx
          .updateTable('track')
          .set({ enhanced_at: null, enhanced_data: null })
          .where('process_id', '=', processId)
          .execute()
        const payload: EnhancementRun = { processId, startedAt }
        // The run is part of the key: the job of the run before may be about to end.
        const uniqueKey = `${processId} ${startedAt}`
        await jobs.add({ kind: ENHANCEMENT_JOB, payload, runAt: startedAt, uniqueKey }, startedAt, tx)
        return 'begun'
      }),
    async isRunning({ processId, startedAt }) {
      const row = await db
        .selectFrom('report')
        .select('process_id')
        .where('process_id', '=', processId)
        .where('enhancement_started_at', '=', startedAt)
        .where('enhancement_status', '=', 'RUNNING')
        .executeTakeFirst()
      return row !== undefined
    },
    async end({ processId, startedAt }, status, reason, now) {
      await db
        .updateTable('report')
        .set({ enhancement_status: status, enhancement_reason: reason, enhancement_ended_at: now })
        .where('process_id', '=', processId)
        .where('enhancement_started_at', '=', startedAt)
        .execute()
    },
    async listWaiting(processId, limit) {
      const rows = await db
        .selectFrom('track')
        .select(['track_id', 'class_name'])
        .where('process_id', '=', processId)
        .where('enhanced_at', 'is', null)
        .orderBy('track_id')
        .limit(limit)
        .execute()
      return rows.map(({ track_id, class_name }) => ({ trackId: track_id, className: class_name }))
    },
    async listSizes(processId, trackId) {
      const rows = await db
        .selectFrom('track_chunk')
        .select('sizes')
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .orderBy('chunk', 'desc')
        .limit(SIZE_CHUNKS)
        .execute()
      return rows.flatMap(({ sizes }) => fromList<SizeNumbers | null>(sizes).filter((size) => size !== null))
    },
    async put(processId, trackId, data, now) {
      await db
        .updateTable('track')
        .set({ enhanced_at: now, enhanced_data: data && JSON.stringify(data) })
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .execute()
    },
    progress: (processId) =>
      db
        .selectFrom('track')
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>('enhanced_at').as('done'),
          eb.fn.count<number>('enhanced_data').as('read'),
        ])
        .where('process_id', '=', processId)
        .executeTakeFirstOrThrow(),
  }
}
