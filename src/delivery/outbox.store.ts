import { type TakenIds } from '../core/taken-processes.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { findTaken, inBatches } from '../storage/queries.ts'
import { type DeliveryRow } from '../storage/schema.ts'
import { type Place, toRow, toWaiting, type WaitingMessage, WITHOUT_CONTENT } from './waiting-message.ts'

export interface Attempt {
  readonly id: string
  readonly attempts: number
}

export interface Delivered extends Attempt {
  /** Its text is kept, so that it can be sent again. */
  readonly isKept: boolean
}

export interface Failed extends Attempt {
  readonly error: string
  /** Nothing of it has reached the receiver. */
  readonly isUnsent: boolean
}

/** Everything that happened since the last commit, in one transaction. */
export interface OutboxWrite {
  readonly inserts: readonly WaitingMessage[]
  /** Ids of what sets out now and is spaced. */
  readonly sent: readonly string[]
  readonly delivered: readonly Delivered[]
  readonly failed: readonly Failed[]
  readonly nowMs: number
}

export interface OutboxStore {
  /**
   * Answers the ids that wait where this write puts them. A message that was taken before is not taken again; this very
   * write may be repeated, and answers the same.
   */
  write(write: OutboxWrite): Promise<ReadonlySet<string>>
  /** Those that wait at these places, in their order. */
  written(places: readonly Place[]): Promise<WaitingMessage[]>
  /** Of what is of these processes; 0 when there is nothing. */
  lastPosition(ids: TakenIds): Promise<number>
  /**
   * A dead one, or a delivered one whose text is kept, waits again, behind the others. Undefined when there is none. May
   * be repeated with the same position.
   */
  revive(channel: string, id: string, position: number, expiresAtMs: number): Promise<WaitingMessage | undefined>
}

export function createOutboxStore(db: Db): OutboxStore {
  const waitingAt = async (tx: Queryable, places: readonly Place[]): Promise<WaitingMessage[]> => {
    const keyOf = ({ id, position }: Place) => `${position} ${id}`
    const wanted = new Set(places.map(keyOf))
    const ids = [...new Set(places.map(({ id }) => id))]
    const rows: DeliveryRow[] = []
    for (const some of inBatches(ids)) {
      const query = tx.selectFrom('delivery').selectAll().where('id', 'in', some)
      const waiting = await query.where('state', '=', 'waiting').execute()
      rows.push(...waiting.filter((row) => wanted.has(keyOf(row))))
    }
    return rows.map(toWaiting).sort((one, other) => one.position - other.position)
  }

  const insert = async (tx: Queryable, messages: readonly WaitingMessage[]): Promise<string[]> => {
    if (messages.length === 0) return []
    const rows = await tx
      .insertInto('delivery')
      .values(messages.map(toRow))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute()
    const added = new Set(rows.map(({ id }) => id))
    const met = await waitingAt(
      tx,
      messages.filter(({ id }) => !added.has(id)),
    )
    return [...added, ...met.map(({ id }) => id)]
  }

  return {
    write: ({ inserts, sent, delivered, failed, nowMs }) =>
      db.transaction().execute(async (tx) => {
        const taken = await insert(tx, inserts)
        if (sent.length > 0)
          await tx.updateTable('delivery').set({ attempted_at: nowMs }).where('id', 'in', sent).execute()
        for (const { attempts, isKept, ids } of alike(delivered))
          await tx
            .updateTable('delivery')
            .set({ state: 'delivered', attempts, error: null, settled_at: nowMs, ...(!isKept && WITHOUT_CONTENT) })
            .where('id', 'in', ids)
            .execute()
        for (const { id, attempts, error, isUnsent } of failed)
          await tx
            .updateTable('delivery')
            .set({ attempts, error, ...(isUnsent && { attempted_at: null }) })
            .where('id', '=', id)
            .execute()
        return new Set(taken)
      }),

    written: (places) => waitingAt(db, places),

    async lastPosition(ids) {
      const last = db.selectFrom('delivery').select((eb) => eb.fn.max('position').as('last'))
      const rows = await findTaken(ids, (some) => (some ? last.where('process_id', 'in', some) : last).execute())
      return rows.reduce((highest, row) => Math.max(highest, row.last ?? 0), 0)
    },

    async revive(channel, id, position, expiresAtMs) {
      const row = await db
        .updateTable('delivery')
        .set({ state: 'waiting', position, attempts: 0, expires_at: expiresAtMs, settled_at: null })
        .where('channel', '=', channel)
        .where('id', '=', id)
        .where('body', '!=', '')
        .where((eb) =>
          eb.or([
            eb('state', 'in', ['dead', 'delivered']),
            eb.and([eb('state', '=', 'waiting'), eb('position', '=', position)]),
          ]),
        )
        .returningAll()
        .executeTakeFirst()
      return row && toWaiting(row)
    },
  }
}

/** Nearly all were delivered at the first attempt, so this is one group, and one statement. */
function alike(delivered: readonly Delivered[]): Iterable<Omit<Delivered, 'id'> & { readonly ids: string[] }> {
  const groups = new Map<string, Omit<Delivered, 'id'> & { readonly ids: string[] }>()
  for (const { id, attempts, isKept } of delivered) {
    const key = `${attempts} ${isKept}`
    const group = groups.get(key)
    if (group) group.ids.push(id)
    else groups.set(key, { attempts, isKept, ids: [id] })
  }
  return groups.values()
}
