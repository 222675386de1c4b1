import { type DeliveryEntry, type DeliveryQuery } from '../core/outbound-message.ts'
import { type Page, toPage } from '../core/page.ts'
import { type Db } from '../storage/database.ts'
import { inBatches } from '../storage/queries.ts'
import { type DeliveryRow } from '../storage/schema.ts'

/** What became of messages. */
export interface EntryStore {
  find(channel: string, id: string): Promise<DeliveryEntry | undefined>
  /** Newest first. */
  list(channels: readonly string[], query: DeliveryQuery): Promise<Page<DeliveryEntry>>
  /** When each channel last delivered something. */
  lastDeliveries(channels: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Of what is settled, a channel keeps the newest ones. */
  trim(channel: string, keep: Readonly<Record<'delivered' | 'dead' | 'dropped', number>>): Promise<void>
  removeSettledBefore(ms: number): Promise<void>
  settledChannels(): Promise<string[]>
  channelsOf(accountId: string): Promise<string[]>
}

export function createEntryStore(db: Db): EntryStore {
  return {
    async find(channel, id) {
      const query = db.selectFrom('delivery').select(entryColumns).where('channel', '=', channel)
      const row = await query.where('id', '=', id).executeTakeFirst()
      return row && toEntry(row)
    },

    async list(channels, { limit, cursor, state }) {
      let query = db.selectFrom('delivery').select([...entryColumns, 'position'])
      if (state) query = query.where('state', '=', state)
      if (cursor)
        query = query.where('position', '<', (eb) =>
          eb.selectFrom('delivery as last').select('last.position').where('last.id', '=', cursor),
        )
      const newest = query.orderBy('position', 'desc').limit(limit + 1)
      const rows = []
      for (const some of inBatches(channels)) rows.push(...(await newest.where('channel', 'in', some).execute()))
      rows.sort((one, other) => other.position - one.position)
      return toPage(rows.map(toEntry), { limit })
    },

    async lastDeliveries(channels) {
      const found = new Map<string, number>()
      for (const some of inBatches(channels)) {
        const rows = await db
          .selectFrom('delivery')
          .select((eb) => ['channel', eb.fn.max('settled_at').as('last')])
          .where('channel', 'in', some)
          .where('state', '=', 'delivered')
          .groupBy('channel')
          .execute()
        for (const { channel, last } of rows) found.set(channel, last!)
      }
      return found
    },

    async trim(channel, keep) {
      for (const [state, count] of Object.entries(keep) as ['delivered' | 'dead' | 'dropped', number][]) {
        const settled = db.selectFrom('delivery').where('channel', '=', channel).where('state', '=', state)
        const row = await settled
          .select('position')
          .orderBy('position', 'desc')
          .offset(count)
          .limit(1)
          .executeTakeFirst()
        if (!row) continue
        await db
          .deleteFrom('delivery')
          .where('channel', '=', channel)
          .where('state', '=', state)
          .where('position', '<=', row.position)
          .execute()
      }
    },

    async removeSettledBefore(ms) {
      await db.deleteFrom('delivery').where('settled_at', '<', ms).execute()
    },

    async settledChannels() {
      const rows = await db
        .selectFrom('delivery')
        .select('channel')
        .distinct()
        .where('settled_at', 'is not', null)
        .execute()
      return rows.map(({ channel }) => channel)
    },

    async channelsOf(accountId) {
      const query = db.selectFrom('delivery').select('channel').distinct().where('account_id', '=', accountId)
      return (await query.execute()).map(({ channel }) => channel)
    },
  }
}

const entryColumns = ['id', 'channel', 'state', 'attempts', 'error', 'created_at', 'settled_at'] as const

function toEntry(row: Pick<DeliveryRow, (typeof entryColumns)[number]>): DeliveryEntry {
  return {
    id: row.id,
    channel: row.channel,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    createdAtMs: row.created_at,
    settledAtMs: row.settled_at,
  }
}
