import { type OwnNode } from '../core/own-node.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type Db } from '../storage/database.ts'
import { findTaken, isOfProcessOf } from '../storage/queries.ts'
import { type DeliveryRow } from '../storage/schema.ts'
import { type Settled, toWaiting, type WaitingMessage, WITHOUT_CONTENT } from './waiting-message.ts'

/** A channel, and whose it is. */
export interface ChannelOwner {
  readonly channel: string
  readonly accountId: string
  readonly processId: string | null
}

/** How much waits in a channel. */
export interface Backlog extends ChannelOwner {
  readonly count: number
  readonly bytes: number
}

/** A channel whose receiver may have seen something lately. */
export interface SpacedChannel extends ChannelOwner {
  /** By the wall clock: when its next message may be sent. */
  readonly notBeforeMs: number
}

/** What waits on disk, channel by channel. */
export interface BacklogStore {
  /** The next ones of a channel in their order, from behind `position`: at most `count`, and of about `bytes`. */
  load(channel: string, position: number, count: number, bytes: number): Promise<WaitingMessage[]>
  /** Of these processes; of all with what older versions wrote. */
  backlogs(ids: TakenIds): Promise<Backlog[]>
  /** Of all that are this node's by now, whether they were taken up or not. */
  ownBacklogs(): Promise<Backlog[]>
  /** Those of them that have to wait at this time. */
  spacedChannels(ids: TakenIds, nowMs: number): Promise<SpacedChannel[]>
  /** The oldest of a channel that wait, until `count` and `bytes` are gone. Never those of `exceptIds`. Answers what was dropped. */
  dropOldest(drop: {
    readonly channel: string
    readonly count: number
    readonly bytes: number
    readonly exceptIds: readonly string[]
    readonly sentence: string
    readonly nowMs: number
  }): Promise<Settled[]>
  /** What is older than its time becomes dead. Answers what that was. */
  bury(channel: string, nowMs: number): Promise<Settled[]>
  /** What waits, and what is kept of the others. */
  remove(channel: string): Promise<void>
}

/** Longer than any attempt takes, with its login and its redirects. */
const MAX_ATTEMPT_MS = 180_000
const MAX_SPACING_MS = 86_400_000

/** Dropped in one transaction; what is more is dropped with the next message. */
const MAX_DROPPED_AT_ONCE = 1_000

export function createBacklogStore(db: Db, node: OwnNode | null = null): BacklogStore {
  const backlog = db
    .selectFrom('delivery')
    .select((eb) => [
      'channel',
      'account_id',
      // What an older version wrote waits in the same channel.
      eb.fn.max('process_id').as('process_id'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('size_bytes').as('bytes'),
    ])
    .where('state', '=', 'waiting')
    .groupBy(['channel', 'account_id'])

  return {
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

    async backlogs(ids) {
      const rows = await findTaken(ids, (some) => (some ? backlog.where('process_id', 'in', some) : backlog).execute())
      return rows.map(toBacklog)
    },

    async ownBacklogs() {
      return (await backlog.where(isOfProcessOf(node)).execute()).map(toBacklog)
    },

    async spacedChannels(ids, nowMs) {
      const recent = db
        .selectFrom('delivery')
        .select(['channel', 'account_id', 'process_id', 'spacing_ms', 'attempted_at', 'settled_at'])
        .where('attempted_at', '>', nowMs - MAX_SPACING_MS - MAX_ATTEMPT_MS)
      const rows = await findTaken(ids, (some) => (some ? recent.where('process_id', 'in', some) : recent).execute())
      const byChannel = new Map<string, SpacedChannel>()
      for (const { spacing_ms: spacingMs, attempted_at, settled_at, ...row } of rows) {
        const { channel } = row
        // What was under way when the service ended was answered before now, if it was.
        const answeredAtMs = Math.min(nowMs, settled_at ?? attempted_at! + MAX_ATTEMPT_MS)
        const notBeforeMs = Math.max(answeredAtMs + spacingMs, byChannel.get(channel)?.notBeforeMs ?? 0)
        if (notBeforeMs > nowMs) byChannel.set(channel, { ...toOwner(row), notBeforeMs })
      }
      return [...byChannel.values()]
    },

    dropOldest: ({ channel, count, bytes, exceptIds, sentence, nowMs }) =>
      db.transaction().execute(async (tx) => {
        let query = tx
          .selectFrom('delivery')
          .select(['id', 'size_bytes'])
          .where('channel', '=', channel)
          .where('state', '=', 'waiting')
        if (exceptIds.length > 0) query = query.where('id', 'not in', exceptIds)
        const rows = await query.orderBy('position').limit(MAX_DROPPED_AT_ONCE).execute()
        let [dropped, sum] = [0, 0]
        const gone = rows.filter(({ size_bytes: size }) => {
          if (dropped >= count && sum >= bytes) return false
          dropped += 1
          sum += size
          return true
        })
        const ids = gone.map(({ id }) => id)
        if (ids.length > 0)
          await tx
            .updateTable('delivery')
            .set({ state: 'dropped', ...WITHOUT_CONTENT, error: sentence, settled_at: nowMs })
            .where('id', 'in', ids)
            .execute()
        return gone.map(toSettled)
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
      return rows.map(toSettled)
    },

    async remove(channel) {
      await db.deleteFrom('delivery').where('channel', '=', channel).execute()
    },
  }
}

type BacklogRow = Pick<DeliveryRow, 'channel' | 'account_id' | 'process_id'> & Pick<Backlog, 'count' | 'bytes'>

function toBacklog({ count, bytes, ...row }: BacklogRow): Backlog {
  return { ...toOwner(row), count, bytes }
}

function toOwner(row: Pick<DeliveryRow, 'channel' | 'account_id' | 'process_id'>): ChannelOwner {
  return { channel: row.channel, accountId: row.account_id, processId: row.process_id }
}

function toSettled({ id, size_bytes: sizeBytes }: Pick<DeliveryRow, 'id' | 'size_bytes'>): Settled {
  return { id, sizeBytes }
}
