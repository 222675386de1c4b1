import { endStates, isLive } from '../core/process-facts.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type Db } from '../storage/database.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { inBatches } from '../storage/queries.ts'
import { type ProcessStateChangeRow } from '../storage/schema.ts'
import { type OfSource } from './timeline.store.ts'

/** Which states processes came into, and when. */
export interface ProcessStateStore {
  /** The same again changes nothing. Of an account whose key is revoked nothing is written any more. */
  put(changes: readonly ProcessStateChangeRow[]): Promise<void>
  /** By time: the newest changes of a stretch, and of each process the last one before it, where it went on then. */
  list(of: OfSource, stretch: Stretch, limit: number): Promise<ListedStates>
  removeExpired(now: number): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

export type ListedState = Pick<ProcessStateChangeRow, 'process_id' | 'at' | 'state'>
export interface ListedStates {
  readonly before: readonly ListedState[]
  readonly within: readonly ListedState[]
}

const DAY_MS = 86_400_000
const shown = ['process_id', 'at', 'state'] as const

export function createProcessStateStore(db: Db): ProcessStateStore {
  return {
    async put(changes) {
      const accountIds = [...new Set(changes.map((change) => change.account_id))]
      const counting = new Set<string>()
      for (const some of inBatches(accountIds)) {
        const query = db.selectFrom('account').select('id').where('id', 'in', some).where('revoked_at', 'is', null)
        for (const { id } of await query.execute()) counting.add(id)
      }
      for (const rows of inBatches(changes.filter((change) => counting.has(change.account_id))))
        await db
          .insertInto('process_state_change')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['process_id', 'at']).doNothing())
          .execute()
    },
    async list({ sourceId, processId }, { from, to }, limit) {
      const ofSource = db
        .selectFrom('process_state_change')
        .where('source_id', '=', sourceId)
        .$if(processId !== undefined, (query) => query.where('process_id', '=', processId!))
      const lastBefore = ofSource
        .select((eb) => ['process_id', eb.fn.max<number>('at').as('at')])
        .where('at', '<', from)
        .groupBy('process_id')
      const [before, within] = await Promise.all([
        db
          .selectFrom('process_state_change')
          .innerJoin(lastBefore.as('last'), (join) =>
            join
              .onRef('last.process_id', '=', 'process_state_change.process_id')
              .onRef('last.at', '=', 'process_state_change.at'),
          )
          .select(shown.map((name) => `process_state_change.${name}` as const))
          .orderBy('process_state_change.at')
          .execute(),
        ofSource
          .select(shown)
          .where('at', '>=', from)
          .where('at', '<', to)
          .orderBy('at', 'desc')
          .limit(limit)
          .execute(),
      ])
      return { before: before.filter(({ state }) => isLive(state)), within: within.toReversed() }
    },
    async removeExpired(now) {
      const days = await db
        .selectFrom(effectiveAccounts(db).as('account'))
        .select(['account.id', 'account.alert_retention_days as days'])
        .execute()
      const accounts = await db.selectFrom('process_state_change').select('account_id').distinct().execute()
      const daysOf = new Map(days.map(({ id, days: kept }) => [id, kept]))
      for (const { account_id: accountId } of accounts)
        await db
          .deleteFrom('process_state_change')
          .where('account_id', '=', accountId)
          .where('at', '<', now - (daysOf.get(accountId) ?? 0) * DAY_MS)
          .where((eb) =>
            eb.or([
              eb.exists(
                eb
                  .selectFrom('process_state_change as later')
                  .select('later.at')
                  .whereRef('later.process_id', '=', 'process_state_change.process_id')
                  .whereRef('later.at', '>', 'process_state_change.at'),
              ),
              // The state that a process is in stays known, however long it is in it.
              eb('state', 'in', endStates),
            ]),
          )
          .execute()
    },
    async removeAllOf(accountId) {
      await db.deleteFrom('process_state_change').where('account_id', '=', accountId).execute()
    },
  }
}
