import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type OwnNode } from '../core/own-node.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { effectiveAccounts } from '../storage/effective-accounts.ts'
import { type HeldBytes } from '../storage/kept-files.ts'
import { inBatches, inParts, isOfNode } from '../storage/queries.ts'
import { type DetectionFileRow, type Tables } from '../storage/schema.ts'

/** A node counts, closes, and lists for removal or for the object store, what is on its own disk. */
export interface DetectionFileStore {
  /** Of these sources those whose streams are recorded. */
  listRecorded(sourceIds: readonly string[]): Promise<ReadonlySet<string>>
  /** False of an account whose key is revoked, of which nothing is written any more. */
  insert(file: DetectionFileRow): Promise<boolean>
  update(files: readonly DetectionFileChange[]): Promise<void>
  /** What the newest file of a process has for minutes. */
  findLastMinutes(processId: string): Promise<string | undefined>
  find(id: string): Promise<DetectionFileRow | undefined>
  /** Those that nobody has closed. */
  listOpen(): Promise<DetectionFileRow[]>
  /** Those that may have something of a stretch, by time; of all nodes. */
  list(sourceId: string, stretch: Stretch, processId?: string): Promise<DetectionFileRow[]>
  /** Of all nodes: those that are older than the account keeps anything. */
  listExpired(now: number, limit: number): Promise<RemovableDetectionFile[]>
  listOfAccount(accountId: string, limit: number): Promise<RemovableDetectionFile[]>
  /** Of those that are closed and on this disk only. */
  listOldest(accountId: string, limit: number): Promise<RemovableDetectionFile[]>
  heldBytes(): Promise<HeldBytes>
  writingBytes(): Promise<HeldBytes>
  /** A part at a time: closed ones, begun after this time, that the object store does not know of. */
  listUnstored(startedAfter: number): AsyncIterable<{ readonly file: string; readonly accountId: string }[]>
  /** `alongside` is written in the same transaction. */
  remove(files: readonly RemovableDetectionFile[], alongside: (tx: Queryable) => Promise<void>): Promise<void>
}

export type DetectionFileChange = Pick<
  DetectionFileRow,
  'id' | 'started_at' | 'ended_at' | 'is_open' | 'looks' | 'size_bytes' | 'minutes'
>
export type RemovableDetectionFile = Pick<
  DetectionFileRow,
  'id' | 'account_id' | 'node_id' | 'file' | 'started_at' | 'size_bytes'
>

const DAY_MS = 86_400_000
const PART = 500
const removable = ['id', 'account_id', 'node_id', 'file', 'started_at', 'size_bytes'] as const

export function createDetectionFileStore(db: Db, node: OwnNode | null = null): DetectionFileStore {
  const own = () => db.selectFrom('detection_file').where(isOfNode(node))

  return {
    async listRecorded(sourceIds) {
      const found = new Set<string>()
      for (const some of inBatches(sourceIds)) {
        const rows = await db
          .selectFrom('source')
          .select('id')
          .where('id', 'in', some)
          .where('type', '=', 'stream')
          .where('record', '=', 1)
          .where('recording_mode', '<>', 'off')
          .execute()
        for (const { id } of rows) found.add(id)
      }
      return found
    },
    insert: (file) =>
      db.transaction().execute(async (tx) => {
        const account = await tx
          .selectFrom('account')
          .select('id')
          .where('id', '=', file.account_id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst()
        if (!account) return false
        await tx
          .insertInto('detection_file')
          .values(file)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute()
        return true
      }),
    update: (files) =>
      db.transaction().execute(async (tx) => {
        for (const { id, ...change } of files)
          await tx.updateTable('detection_file').set(change).where('id', '=', id).execute()
      }),
    async findLastMinutes(processId) {
      const row = await db
        .selectFrom('detection_file')
        .select('minutes')
        .where('process_id', '=', processId)
        .orderBy('ended_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.minutes
    },
    find: (id) => db.selectFrom('detection_file').selectAll().where('id', '=', id).executeTakeFirst(),
    listOpen: () => own().selectAll().where('is_open', '=', 1).execute(),
    list: (sourceId, stretch, processId) =>
      filesWithin(db, sourceId, stretch)
        .selectAll()
        .$if(processId !== undefined, (query) => query.where('process_id', '=', processId!))
        .orderBy('started_at')
        .orderBy('id')
        .execute(),
    listExpired: (now, limit) =>
      db
        .selectFrom('detection_file')
        .leftJoin(effectiveAccounts(db).as('account'), 'account.id', 'detection_file.account_id')
        .select(removable.map((name) => `detection_file.${name}` as const))
        // An alert's days are the longest. Of an account that nobody knows any more at once.
        .where((eb) =>
          eb(
            'detection_file.ended_at',
            '<',
            eb(eb.val(now), '-', eb(eb.fn.coalesce('account.alert_retention_days', eb.lit(0)), '*', DAY_MS)),
          ),
        )
        .orderBy('detection_file.started_at')
        .limit(limit)
        .execute(),
    listOfAccount: (accountId, limit) =>
      db.selectFrom('detection_file').select(removable).where('account_id', '=', accountId).limit(limit).execute(),
    listOldest: (accountId, limit) =>
      own()
        .select(removable)
        .where('account_id', '=', accountId)
        .where('is_open', '=', 0)
        .where((eb) => eb.not(eb.exists(storedFileOf(eb).where('stored_file.place', '<>', 'disk'))))
        .orderBy('started_at')
        .limit(limit)
        .execute(),
    heldBytes: () => sumByAccount(own()),
    writingBytes: () => sumByAccount(own().where('is_open', '=', 1)),
    async *listUnstored(startedAfter) {
      const query = own()
        .select(['file', 'account_id'])
        .where('started_at', '>', startedAfter)
        .where('is_open', '=', 0)
        .where('looks', '>', 0)
        .where((eb) => eb.not(eb.exists(storedFileOf(eb))))
      yield* inParts(query.stream(PART), PART, ({ file, account_id }) => ({ file, accountId: account_id }))
    },
    remove: (files, alongside) =>
      db.transaction().execute(async (tx) => {
        for (const ids of inBatches(files.map(({ id }) => id)))
          await tx.deleteFrom('detection_file').where('id', 'in', ids).execute()
        await alongside(tx)
      }),
  }
}

/** One has looks of an hour only: those that began before that end before the stretch. */
export function filesWithin(db: Db, sourceId: string, { from, to }: Stretch) {
  return db
    .selectFrom('detection_file')
    .where('source_id', '=', sourceId)
    .where('started_at', '>', from - MAX_FILE_MS)
    .where('started_at', '<', to)
    .where('ended_at', '>=', from)
    .where('looks', '>', 0)
}

const MAX_FILE_MS = 3_600_000

function storedFileOf(eb: ExpressionBuilder<Tables, 'detection_file'>) {
  return eb
    .selectFrom('stored_file')
    .select('stored_file.file')
    .whereRef('stored_file.file', '=', 'detection_file.file')
}

async function sumByAccount(files: SelectQueryBuilder<Tables, 'detection_file', object>): Promise<HeldBytes> {
  const rows = await files
    .select(['account_id', sql<number>`sum(size_bytes)`.as('bytes')])
    .groupBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, bytes }) => [account_id, Number(bytes)]))
}
