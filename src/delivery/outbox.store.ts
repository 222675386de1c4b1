import { type Destination } from '../core/destination.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { type DeliveryRow } from '../storage/schema.ts'
import { type OutboundMessage } from './message.ts'

/** A message as it waits. */
export interface WaitingMessage extends OutboundMessage {
  readonly position: number
  readonly attempts: number
  readonly sizeBytes: number
  readonly expiresAtMs: number
}

/** Where a message was written. No two are ever written at the same position, so that says who wrote it. */
export type Place = Pick<WaitingMessage, 'id' | 'position'>

/** How much waits in a channel. */
export interface Backlog {
  readonly channel: string
  readonly accountId: string
  readonly count: number
  readonly bytes: number
}

/** A channel whose receiver may have seen something lately. */
export interface SpacedChannel {
  readonly channel: string
  readonly accountId: string
  /** By the wall clock: when its next message may be sent. */
  readonly notBeforeMs: number
}

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
  /** The next ones of a channel in their order, from behind `position`: at most `count`, and of about `bytes`. */
  load(channel: string, position: number, count: number, bytes: number): Promise<WaitingMessage[]>
  backlogs(): Promise<Backlog[]>
  /** Those that have to wait at this time. */
  spacedChannels(nowMs: number): Promise<SpacedChannel[]>
  lastPosition(): Promise<number>
  /** The oldest of a channel that wait, until `count` and `bytes` are gone. Never those of `exceptIds`. Answers what was dropped. */
  dropOldest(drop: {
    readonly channel: string
    readonly count: number
    readonly bytes: number
    readonly exceptIds: readonly string[]
    readonly sentence: string
    readonly nowMs: number
  }): Promise<{ readonly id: string; readonly sizeBytes: number }[]>
  /** What is older than its time becomes dead. Answers what that was. */
  bury(channel: string, nowMs: number): Promise<{ readonly id: string; readonly sizeBytes: number }[]>
  /** What waits, or all, is gone. */
  remove(channel: string, only: 'waiting' | 'all'): Promise<void>
  /**
   * A dead one, or a delivered one whose text is kept, waits again, behind the others. Undefined when there is none. May
   * be repeated with the same position.
   */
  revive(channel: string, id: string, position: number, expiresAtMs: number): Promise<WaitingMessage | undefined>
}

const MAX_IN_QUERY = 500
/** Longer than any attempt takes, with its login and its redirects. */
const MAX_ATTEMPT_MS = 180_000
const MAX_SPACING_MS = 86_400_000

/** What nobody will send any more needs neither its text nor the secrets that went with it. */
const emptied = { body: '', destination: '' } as const

export function createOutboxStore(db: Db): OutboxStore {
  const settle = async (
    tx: Queryable,
    ids: readonly string[],
    change: Partial<Pick<DeliveryRow, 'state' | 'body' | 'destination' | 'error' | 'settled_at'>>,
  ) => {
    if (ids.length > 0) await tx.updateTable('delivery').set(change).where('id', 'in', ids).execute()
  }

  const waitingAt = async (tx: Queryable, places: readonly Place[]): Promise<WaitingMessage[]> => {
    const keyOf = ({ id, position }: Place) => `${position} ${id}`
    const wanted = new Set(places.map(keyOf))
    const ids = [...new Set(places.map(({ id }) => id))]
    const rows: DeliveryRow[] = []
    for (let from = 0; from < ids.length; from += MAX_IN_QUERY) {
      const some = tx
        .selectFrom('delivery')
        .selectAll()
        .where('id', 'in', ids.slice(from, from + MAX_IN_QUERY))
      const waiting = await some.where('state', '=', 'waiting').execute()
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
            .set({ state: 'delivered', attempts, error: null, settled_at: nowMs, ...(!isKept && emptied) })
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

    async load(channel, position, count, bytes) {
      const waiting = db
        .selectFrom('delivery')
        .where('channel', '=', channel)
        .where('state', '=', 'waiting')
        .where('position', '>', position)
      const sizes = await waiting.select(['position', 'size_bytes']).orderBy('position').limit(count).execute()
      let sum = 0
      const fitting = sizes.filter(({ size_bytes: size }, index) => (sum += size) <= bytes || index === 0)
      if (fitting.length === 0) return []
      const rows = await waiting
        .selectAll()
        .where('position', '<=', fitting.at(-1)!.position)
        .orderBy('position')
        .execute()
      return rows.map(toWaiting)
    },

    async backlogs() {
      const rows = await db
        .selectFrom('delivery')
        .select((eb) => [
          'channel',
          'account_id',
          eb.fn.countAll<number>().as('count'),
          eb.fn.sum<number>('size_bytes').as('bytes'),
        ])
        .where('state', '=', 'waiting')
        .groupBy(['channel', 'account_id'])
        .execute()
      return rows.map(({ channel, account_id: accountId, count, bytes }) => ({ channel, accountId, count, bytes }))
    },

    async spacedChannels(nowMs) {
      const rows = await db
        .selectFrom('delivery')
        .select(['channel', 'account_id', 'spacing_ms', 'attempted_at', 'settled_at'])
        .where('attempted_at', '>', nowMs - MAX_SPACING_MS - MAX_ATTEMPT_MS)
        .execute()
      const byChannel = new Map<string, SpacedChannel>()
      for (const { channel, account_id: accountId, spacing_ms: spacingMs, attempted_at, settled_at } of rows) {
        // What was under way when the service ended was answered before now, if it was.
        const answeredAtMs = Math.min(nowMs, settled_at ?? attempted_at! + MAX_ATTEMPT_MS)
        const notBeforeMs = Math.max(answeredAtMs + spacingMs, byChannel.get(channel)?.notBeforeMs ?? 0)
        if (notBeforeMs > nowMs) byChannel.set(channel, { channel, accountId, notBeforeMs })
      }
      return [...byChannel.values()]
    },

    async lastPosition() {
      const { last } = await db
        .selectFrom('delivery')
        .select((eb) => eb.fn.max('position').as('last'))
        .executeTakeFirstOrThrow()
      return last ?? 0
    },

    dropOldest: ({ channel, count, bytes, exceptIds, sentence, nowMs }) =>
      db.transaction().execute(async (tx) => {
        let query = tx
          .selectFrom('delivery')
          .select(['id', 'size_bytes'])
          .where('channel', '=', channel)
          .where('state', '=', 'waiting')
        if (exceptIds.length > 0) query = query.where('id', 'not in', exceptIds)
        const rows = await query.orderBy('position').limit(1_000).execute()
        let [dropped, sum] = [0, 0]
        const gone = rows.filter(({ size_bytes: size }) => {
          if (dropped >= count && sum >= bytes) return false
          dropped += 1
          sum += size
          return true
        })
        const ids = gone.map(({ id }) => id)
        await settle(tx, ids, { state: 'dropped', ...emptied, error: sentence, settled_at: nowMs })
        return gone.map(({ id, size_bytes: sizeBytes }) => ({ id, sizeBytes }))
      }),

    async bury(channel, nowMs) {
      const rows = await db
        .updateTable('delivery')
        .set({ state: 'dead', settled_at: nowMs })
        .where('channel', '=', channel)
        .where('state', '=', 'waiting')
        .where('expires_at', '<=', nowMs)
        .returning(['id', 'size_bytes'])
        .execute()
      return rows.map(({ id, size_bytes: sizeBytes }) => ({ id, sizeBytes }))
    },

    async remove(channel, only) {
      const query = db.deleteFrom('delivery').where('channel', '=', channel)
      await (only === 'waiting' ? query.where('state', '=', 'waiting') : query).execute()
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

function toWaiting(row: DeliveryRow): WaitingMessage {
  return {
    id: row.id,
    position: row.position,
    channel: row.channel,
    accountId: row.account_id,
    destination: JSON.parse(row.destination) as Destination,
    body: row.body,
    sizeBytes: row.size_bytes,
    attempts: row.attempts,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    spacingMs: row.spacing_ms,
  }
}

function toRow(message: WaitingMessage): DeliveryRow {
  return {
    id: message.id,
    position: message.position,
    channel: message.channel,
    account_id: message.accountId,
    destination: JSON.stringify(message.destination),
    body: message.body,
    size_bytes: message.sizeBytes,
    state: 'waiting',
    attempts: message.attempts,
    error: null,
    created_at: message.createdAtMs,
    expires_at: message.expiresAtMs,
    settled_at: null,
    spacing_ms: message.spacingMs ?? 0,
    attempted_at: null,
  }
}
