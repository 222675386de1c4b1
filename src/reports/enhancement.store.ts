import { type Account } from '../core/account.ts'
import { type Enhanced } from '../enhance/messages.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { countSlots } from '../storage/process-slots.ts'
import { type EnhancementStatus, type SizeNumbers } from './report.ts'
import { fromList } from './stored-track.ts'
import { emptyReport } from './tracks.store.ts'

/** One enhancement of one report; a later one of the same report is another run. */
export interface EnhancementRun {
  readonly processId: string
  readonly startedAt: number
}

/** A long run is done in rounds, so that others have their turn between them. */
export interface EnhancementRound extends EnhancementRun {
  /** From 0. */
  readonly round: number
  /** Of the worker, in the rounds before. */
  readonly deaths: number
}

export type BeginOutcome = 'begun' | 'running' | 'finished' | 'process-limit-reached' | 'usage-limit-reached'

/** A track that the enhancement has not come to. */
export interface WaitingTrack {
  readonly trackId: number
  readonly className: string
}

export interface UnreadTracks {
  readonly needed: number
  readonly unread: number
  readonly cause: string | undefined
}

export interface EnhancementStore {
  /** What `begin` would answer. */
  check(account: Account, processId: string, isAgain: boolean): Promise<BeginOutcome>
  /** Takes a process slot, and notes the job in the same transaction. `isAgain` begins anew also what is finished. */
  begin(account: Account, run: EnhancementRun, isAgain: boolean): Promise<BeginOutcome>
  /** The account whose process it was. */
  ownerOf(processId: string): Promise<string | undefined>
  /** Whether the run is still wanted: its report may have been deleted. */
  isRunning(run: EnhancementRun): Promise<boolean>
  /** Shows what was found out when it is finished, in the place of an earlier result; otherwise forgets it. */
  end(run: EnhancementRun, status: EnhancementStatus, reason: string | null, now: number): Promise<void>
  /** Behind the runs that wait now. */
  addRound(round: EnhancementRound, now: number): Promise<void>
  listWaiting(processId: string, limit: number): Promise<WaitingTrack[]>
  listSizes(processId: string, trackId: number): Promise<SizeNumbers[]>
  /** It is shown when the run is finished. */
  put(processId: string, trackId: number, enhanced: Enhanced, now: number): Promise<void>
  /** Of the run under way, or of the result that is shown. */
  progress(processId: string, isRunning: boolean): Promise<{ done: number; total: number }>
  /** Of the run under way: how many tracks needed pictures, how many of them had none that could be read, and why the first had none. */
  countUnread(processId: string): Promise<UnreadTracks>
}

export const ENHANCEMENT_JOB = 'report-enhancement'
/** The last ones of a track that are looked at for its size; more would not make the median better. */
const SIZE_CHUNKS = 8

export function createEnhancementStore(db: Db, jobs: Pick<JobStore, 'add'>): EnhancementStore {
  async function outcomeOf(
    tx: Queryable,
    account: Account,
    processId: string,
    isAgain: boolean,
  ): Promise<BeginOutcome> {
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
    return remaining <= 0 ? 'usage-limit-reached' : 'begun'
  }

  /** The round is part of the key: the job of the one before, or of the run before, may be about to end. */
  const addRound = (payload: EnhancementRound, now: number, tx?: Queryable) =>
    jobs.add(
      {
        kind: ENHANCEMENT_JOB,
        payload,
        runAt: now,
        uniqueKey: `${payload.processId} ${payload.startedAt} ${payload.round}`,
      },
      now,
      tx,
    )

  return {
    check: (account, processId, isAgain) => outcomeOf(db, account, processId, isAgain),
    begin: (account, { processId, startedAt }, isAgain) =>
      db.transaction().execute(async (tx) => {
        // Starts of processes and enhancements of one account wait for each other here.
        await lockActiveAccount(tx, account.id)
        const outcome = await outcomeOf(tx, account, processId, isAgain)
        if (outcome !== 'begun') return outcome

        const begun = {
          enhancement_status: 'RUNNING',
          enhancement_reason: null,
          enhancement_started_at: startedAt,
          enhancement_ended_at: null,
        } as const
        await tx
          .insertInto('report')
          .values({ ...emptyReport(processId), ...begun })
          .onConflict((conflict) => conflict.column('process_id').doUpdateSet(begun))
          .execute()
        await addRound({ processId, startedAt, round: 0, deaths: 0 }, startedAt, tx)
        return 'begun'
      }),
    async ownerOf(processId) {
      const process = await db.selectFrom('process').select('account_id').where('id', '=', processId).executeTakeFirst()
      return process?.account_id
    },
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
    end: ({ processId, startedAt }, status, reason, now) =>
      db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('report')
          .set({ enhancement_status: status, enhancement_reason: reason, enhancement_ended_at: now })
          .where('process_id', '=', processId)
          .where('enhancement_started_at', '=', startedAt)
          .where('enhancement_status', '=', 'RUNNING')
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        await tx
          .updateTable('track')
          .set({ draft_at: null, draft_data: null, draft_unread: null })
          .$if(status === 'FINISHED', (query) =>
            query.set((eb) => ({ enhanced_at: eb.ref('draft_at'), enhanced_data: eb.ref('draft_data') })),
          )
          .where('process_id', '=', processId)
          .where('draft_at', 'is not', null)
          .execute()
      }),
    addRound: (round, now) => addRound(round, now),
    async listWaiting(processId, limit) {
      const rows = await db
        .selectFrom('track')
        .select(['track_id', 'class_name'])
        .where('process_id', '=', processId)
        .where('draft_at', 'is', null)
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
    async put(processId, trackId, { data, needsPictures, unread }, now) {
      await db
        .updateTable('track')
        .set({
          draft_at: now,
          draft_data: JSON.stringify(data),
          draft_unread: unread ?? (needsPictures ? '' : null),
        })
        .where('process_id', '=', processId)
        .where('track_id', '=', trackId)
        .execute()
    },
    progress: (processId, isRunning) =>
      db
        .selectFrom('track')
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>(isRunning ? 'draft_at' : 'enhanced_at').as('done'),
        ])
        .where('process_id', '=', processId)
        .executeTakeFirstOrThrow(),
    async countUnread(processId) {
      const tracks = db.selectFrom('track').where('process_id', '=', processId)
      const unreadTracks = tracks.where('draft_unread', '<>', '')
      const { needed } = await tracks
        .select((eb) => eb.fn.count<number>('draft_unread').as('needed'))
        .executeTakeFirstOrThrow()
      const { unread } = await unreadTracks
        .select((eb) => eb.fn.countAll<number>().as('unread'))
        .executeTakeFirstOrThrow()
      const first = await unreadTracks.select('draft_unread as cause').orderBy('track_id').limit(1).executeTakeFirst()
      return { needed, unread, cause: first?.cause ?? undefined }
    },
  }
}
