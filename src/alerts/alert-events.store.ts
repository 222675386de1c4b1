import { type SelectQueryBuilder, sql } from 'kysely'
import { firstUuidAt } from '../core/ordered-uuid.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Page } from '../core/page.ts'
import { type TimeRange } from '../core/request-fields.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { inBatches, inParts, isOfProcessOf } from '../storage/queries.ts'
import { inPattern } from '../storage/like-pattern.ts'
import { type AlertEventRow, type Tables } from '../storage/schema.ts'
import { type EventKey, toEventCursor } from './alert-event-cursor.ts'

/** An alert event with what is known of its source now. */
export interface ListedAlertEvent extends AlertEventRow {
  /** Both null once the source is removed. */
  readonly source_alias: string | null
  readonly source_type: 'file' | 'stream' | null
}

export interface AlertEventSearch {
  readonly range: TimeRange
  readonly sourceId?: string | undefined
  readonly alertId?: string | undefined
  readonly alertIds?: readonly string[] | undefined
  /** About tracks of any of these. */
  readonly classes?: readonly string[] | undefined
}

export interface AlertEventPage {
  readonly limit: number
  readonly after?: EventKey | undefined
}

/** A node that may have a file of an event. */
export interface FileAt {
  readonly nodeId: string
  readonly file: string
}

export interface AlertEventStore {
  /** The same again changes nothing but its picture. Of an account whose key is revoked nothing is written any more. */
  put(events: readonly AlertEventRow[]): Promise<void>
  find(id: string): Promise<AlertEventRow | undefined>
  /** By the stream's clock, the newest first. */
  list(accountId: string, search: AlertEventSearch, page: AlertEventPage): Promise<Page<ListedAlertEvent>>
  /** Those that are older than their account keeps them. */
  listExpired(now: number, limit: number): Promise<AlertEventRow[]>
  listOfAccount(accountId: string, limit: number): Promise<AlertEventRow[]>
  /** The other nodes that may have these files: by what is noted of a file, and where its process is. */
  listNodes(events: readonly AlertEventRow[], fileOf: (event: AlertEventRow) => string): Promise<FileAt[]>
  /** `alongside` is written in the same transaction. */
  remove(events: readonly AlertEventRow[], alongside: (tx: Queryable) => Promise<void>): Promise<void>
  /** Of the processes of this node. */
  heldBytes(): Promise<HeldBytes>
  /** A part at a time: pictures of this node, written after this time, that the object store does not know of. */
  listUnstored(since: number): AsyncIterable<{ readonly file: string; readonly accountId: string }[]>
}

const DAY_MS = 86_400_000
const PART = 500
/** A picture may be written so long after its event has its id. */
const WRITTEN_WITHIN_MS = 300_000

export function createAlertEventStore(db: Db, node: OwnNode | null = null): AlertEventStore {
  return {
    async put(events) {
      const accountIds = [...new Set(events.map((event) => event.account_id))]
      for (const some of inBatches(accountIds)) {
        const query = db.selectFrom('account').select('id').where('id', 'in', some).where('revoked_at', 'is', null)
        const counting = new Set((await query.execute()).map(({ id }) => id))
        const wanted = events.filter((event) => counting.has(event.account_id))
        for (const rows of inBatches(wanted)) await putSome(db, rows)
      }
    },
    find: (id) => db.selectFrom('alert_event').selectAll().where('id', '=', id).executeTakeFirst(),
    async list(accountId, { range: { from, to }, sourceId, alertId, alertIds, classes }, { limit, after }) {
      const rows = await db
        .selectFrom('alert_event')
        .leftJoin('source', 'source.id', 'alert_event.source_id')
        .selectAll('alert_event')
        .select(['source.alias as source_alias', 'source.type as source_type'])
        .where('alert_event.account_id', '=', accountId)
        .$if(sourceId !== undefined, (query) => query.where('alert_event.source_id', '=', sourceId!))
        .$if(alertId !== undefined, (query) => query.where('alert_event.alert_id', '=', alertId!))
        .$if(alertIds !== undefined, (query) => query.where('alert_event.alert_id', 'in', alertIds!))
        .$if(classes !== undefined, (query) => query.where((eb) => eb.or(classes!.map(isAbout))))
        .$if(from !== undefined, (query) => query.where('alert_event.at', '>=', from!))
        .$if(to !== undefined, (query) => query.where('alert_event.at', '<', to!))
        .$if(after !== undefined, (query) => query.where(isAfter(after!)))
        .orderBy('alert_event.at', 'desc')
        .orderBy('alert_event.id', 'desc')
        .limit(limit + 1)
        .execute()
      const items = rows.slice(0, limit)
      return { items, nextCursor: rows.length > limit ? toEventCursor(items.at(-1)!) : undefined }
    },
    listExpired: (now, limit) =>
      db
        .selectFrom('alert_event')
        .leftJoin(effectiveAccounts(db).as('account'), 'account.id', 'alert_event.account_id')
        .selectAll('alert_event')
        // Of an account that nobody knows any more at once.
        .where((eb) =>
          eb(
            'alert_event.at',
            '<',
            eb(eb.val(now), '-', eb(eb.fn.coalesce('account.alert_retention_days', eb.lit(0)), '*', DAY_MS)),
          ),
        )
        .orderBy('alert_event.at')
        .limit(limit)
        .execute(),
    listOfAccount: (accountId, limit) =>
      db.selectFrom('alert_event').selectAll().where('account_id', '=', accountId).limit(limit).execute(),
    async listNodes(events, fileOf) {
      if (!node) return []
      const found: FileAt[] = []
      for (const some of inBatches(events)) {
        const stored = await db
          .selectFrom('stored_file')
          .select(['file', 'node_id'])
          .where('file', 'in', some.map(fileOf))
          .execute()
        const ids = [...new Set(some.map((event) => event.process_id))]
        const processes = await db.selectFrom('process').select(['id', 'node_id']).where('id', 'in', ids).execute()
        const nodeOf = new Map(processes.map(({ id, node_id }) => [id, node_id]))
        found.push(
          ...stored.flatMap(({ file, node_id }) => toFileAt(node_id, file)),
          ...some.flatMap((event) => toFileAt(nodeOf.get(event.process_id), fileOf(event))),
        )
      }
      return found.filter(({ nodeId }) => nodeId !== node.id)
    },
    async remove(events, alongside) {
      await db.transaction().execute(async (tx) => {
        for (const ids of inBatches(events.map(({ id }) => id)))
          await tx.deleteFrom('alert_event').where('id', 'in', ids).execute()
        await alongside(tx)
      })
    },
    async heldBytes() {
      const rows = await ofNode(db.selectFrom('alert_event'), node)
        .select((eb) => ['account_id', eb.fn.sum<number>('size_bytes').as('bytes')])
        .groupBy('account_id')
        .execute()
      return new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]))
    },
    async *listUnstored(since) {
      const query = ofNode(db.selectFrom('alert_event'), node)
        .select(['alert_event.file', 'alert_event.account_id'])
        .where('alert_event.id', '>=', firstUuidAt(since - WRITTEN_WITHIN_MS))
        .where('alert_event.file', 'is not', null)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('stored_file')
                .select('stored_file.file')
                .whereRef('stored_file.file', '=', 'alert_event.file'),
            ),
          ),
        )
      yield* inParts(query.stream(PART), PART, ({ file, account_id }) => ({ file: file!, accountId: account_id }))
    },
  }
}

const toFileAt = (nodeId: string | null | undefined, file: string): FileAt[] => (nodeId ? [{ nodeId, file }] : [])

/** Without several nodes the sum comes from an index alone. */
function ofNode(events: SelectQueryBuilder<Tables, 'alert_event', object>, node: OwnNode | null) {
  return node ? events.where(isOfProcessOf(node, 'alert_event.process_id')) : events
}

function isAfter({ at, id }: EventKey) {
  return sql<boolean>`(alert_event.at < ${at} or (alert_event.at = ${at} and alert_event.id < ${id}))`
}

/** As an entry of a list in JSON. */
function isAbout(className: string) {
  return sql<boolean>`alert_event.classes like ${`%${inPattern(JSON.stringify(className))}%`} escape '\\'`
}

async function putSome(db: Db, rows: readonly AlertEventRow[]): Promise<void> {
  await db
    .insertInto('alert_event')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        file: eb.fn.coalesce('excluded.file', 'alert_event.file'),
        // Written with its file.
        size_bytes: eb
          .case()
          .when('excluded.file', 'is', null)
          .then(eb.ref('alert_event.size_bytes'))
          .else(eb.ref('excluded.size_bytes'))
          .end(),
      })),
    )
    .execute()
}
