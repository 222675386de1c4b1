import { liveStates } from '../core/process-states.ts'
import { type Queryable } from './database.ts'

/** How many of an account's process slots are taken: by processes that live, and by reports that are being enhanced. */
export async function countSlots(tx: Queryable, accountId: string): Promise<number> {
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
