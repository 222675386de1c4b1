import { type Account } from '../core/account.ts'
import { liveStates } from '../core/process-facts.ts'
import { type Queryable } from './database.ts'
import { effectiveAccounts } from './effective-accounts.ts'

/** How many of an account's process slots are taken: by processes that live, and by reports that are being enhanced. */
async function countSlots(tx: Queryable, accountId: string): Promise<number> {
  const live = await tx
    .selectFrom('process')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('state', 'in', liveStates)
    .executeTakeFirstOrThrow()
  const enhancing = await tx
    .selectFrom('report')
    .innerJoin('process', 'process.id', 'report.process_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('process.account_id', '=', accountId)
    .where('report.enhancement_status', '=', 'RUNNING')
    .executeTakeFirstOrThrow()
  return live.count + enhancing.count
}

export type StartLimit = 'process-limit-reached' | 'usage-limit-reached'

/** Which limit keeps an account from starting one more process or enhancement; undefined when none does. */
export async function reachedLimitOf(tx: Queryable, { id, limits }: Account): Promise<StartLimit | undefined> {
  if ((await countSlots(tx, id)) >= limits.maxProcesses) return 'process-limit-reached'
  const { unlimited, remaining_seconds: remaining } = await tx
    .selectFrom(effectiveAccounts(tx).as('account'))
    .select(['unlimited', 'remaining_seconds'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return unlimited === 0 && remaining <= 0 ? 'usage-limit-reached' : undefined
}
