import { type Account } from '../core/account.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { reachedLimitOf, type StartLimit } from '../storage/process-slots.ts'
import { type EnhancementStatus } from './report.ts'
import { enhancedWordsIn } from './enhanced-words.store.ts'
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

export type BeginOutcome = 'begun' | 'running' | 'finished' | StartLimit

/** When a report is enhanced, and with what outcome. */
export interface EnhancementRunStore {
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
}

export const ENHANCEMENT_JOB = 'report-enhancement'

export function createEnhancementRunStore(db: Db, jobs: Pick<JobStore, 'add'>): EnhancementRunStore {
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
    return (await reachedLimitOf(tx, account)) ?? 'begun'
  }

  /** The round is part of the key: the job of the one before, or of the run before, may be about to end. */
  const addRound = (payload: EnhancementRound, now: number, tx?: Queryable) =>
    jobs.add(
      {
        kind: ENHANCEMENT_JOB,
        payload,
        runAt: now,
        uniqueKey: `${payload.processId} ${payload.startedAt} ${payload.round}`,
        // The pictures are here.
        isOfNode: true,
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
            query.set((eb) => ({
              enhanced_at: eb.ref('draft_at'),
              enhanced_data: eb.ref('draft_data'),
              ...enhancedWordsIn(tx, 'draft_data'),
            })),
          )
          .where('process_id', '=', processId)
          .where('draft_at', 'is not', null)
          .execute()
      }),
    addRound: (round, now) => addRound(round, now),
  }
}
