import { type ContactTurns, type QuietHours } from '../core/contact.ts'
import { sumId } from '../core/outbound-message.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { parseOrNull } from '../storage/queries.ts'
import { type ContactRow } from '../storage/schema.ts'
import { decideTurn, isSumDue, type TurnState } from './decide-turn.ts'
import { type Held, type LeavingSum, setApart, withoutLeaving } from './held.ts'

/** When contacts are notified, and what is held back from them: each decided in one transaction over the contact's row. */
export interface ContactTurnStore extends Pick<ContactTurns, 'takeTurn'> {
  /** Those of which something is held back. */
  listHeld(): Promise<readonly string[]>
  /** Sets apart what is to be summed up now; undefined where that is nothing. The same again until it has left. */
  beginSum(contactId: string, nowMs: number): Promise<SumOf | undefined>
  /** It is in the outbox. */
  endSum(contactId: string, leavingId: string): Promise<void>
}

export interface SumOf {
  readonly accountId: string
  readonly processId: string
  readonly sum: LeavingSum
}

export function createContactTurnStore(db: Db): ContactTurnStore {
  return {
    takeTurn: ({ contactId, processId, ...request }) =>
      db.transaction().execute(async (tx) => {
        await lockContact(tx, contactId)
        const row = await tx.selectFrom('contact').selectAll().where('id', '=', contactId).executeTakeFirst()
        // It went a moment ago: nobody is there to be notified.
        if (!row) return 'held'
        const { outcome, change } = decideTurn(toTurnState(row), request)
        const written = {
          ...(change.minuteAt !== undefined && { minute_at: change.minuteAt }),
          ...(change.minuteSent !== undefined && { minute_sent: change.minuteSent }),
          ...(change.lastTurnId !== undefined && { last_turn_id: change.lastTurnId }),
          ...(change.held && { held: JSON.stringify(change.held), held_process_id: processId }),
        }
        if (Object.keys(written).length > 0)
          await tx.updateTable('contact').set(written).where('id', '=', contactId).execute()
        return outcome
      }),
    async listHeld() {
      const held = db.selectFrom('contact').select('id').where('held', 'is not', null)
      return (await held.orderBy('id').execute()).map(({ id }) => id)
    },
    beginSum: (contactId, nowMs) =>
      db.transaction().execute(async (tx) => {
        await lockContact(tx, contactId)
        const row = await tx.selectFrom('contact').selectAll().where('id', '=', contactId).executeTakeFirst()
        const state = row && toTurnState(row)
        if (!row || !state?.held || !isSumDue(state, nowMs)) return undefined
        const held = setApart(state.held, sumId(contactId, nowMs))
        await tx
          .updateTable('contact')
          .set({ held: JSON.stringify(held) })
          .where('id', '=', contactId)
          .execute()
        return { accountId: row.account_id, processId: row.held_process_id!, sum: held.leaving! }
      }),
    endSum: (contactId, leavingId) =>
      db.transaction().execute(async (tx) => {
        await lockContact(tx, contactId)
        const row = await tx.selectFrom('contact').select('held').where('id', '=', contactId).executeTakeFirst()
        const held = parseOrNull<Held>(row?.held ?? null)
        if (held?.leaving?.id !== leavingId) return
        const rest = withoutLeaving(held)
        await tx
          .updateTable('contact')
          .set({ held: rest && JSON.stringify(rest) })
          .where('id', '=', contactId)
          .execute()
      }),
  }
}

/** Written first, so that all who want a turn of this contact wait for each other, in SQLite and PostgreSQL alike. */
export async function lockContact(tx: Queryable, id: string): Promise<void> {
  await tx
    .updateTable('contact')
    .set((eb) => ({ minute_sent: eb.ref('minute_sent') }))
    .where('id', '=', id)
    .execute()
}

function toTurnState(row: ContactRow): TurnState {
  return {
    quietHours: parseOrNull<QuietHours>(row.quiet_hours),
    maxPerMinute: row.max_per_minute,
    minuteAt: row.minute_at,
    minuteSent: row.minute_sent,
    lastTurnId: row.last_turn_id,
    held: parseOrNull<Held>(row.held),
  }
}
