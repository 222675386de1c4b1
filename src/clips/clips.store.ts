import { AppError } from '../core/errors.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type Db, lockActiveAccount, type Queryable } from '../storage/database.ts'
import { listPage } from '../storage/queries.ts'
import { type ClipRow } from '../storage/schema.ts'
import { type Clip, type ClipPart } from './clip.ts'
import { toClip, toRow } from './clip-row.ts'
import { createKeptClips, type KeptClips } from './kept-clips.store.ts'

/** A clip with what is known of its source now. */
export interface ListedClip extends Clip {
  /** Null once the source is removed. */
  readonly sourceAlias: string | null
}

export interface ClipLimits {
  /** Of a key, those that are not cut yet: of users and of links each. */
  readonly waiting: number
  /** Of a key, of users. */
  readonly all: number
}

export interface FinishedClip {
  readonly parts: readonly ClipPart[]
  readonly gaps: readonly Stretch[]
  readonly note: string | null
}

/** Adds what is to be done for a clip, in the transaction in which it is written. */
export type AddJob = (clip: Clip, tx: Queryable) => Promise<void>

export interface ClipStore extends KeptClips {
  /**
   * With its job. Rejects with `clip-limit-reached`, and with `api-key-invalid` once the key is revoked. Of a link's there is one: the one
   * that is there already is answered.
   */
  insert(clip: Clip, limits: ClipLimits, addJob: AddJob): Promise<Clip>
  /** Of any account. */
  find(id: string): Promise<ListedClip | undefined>
  findByKey(uniqueKey: string): Promise<ListedClip | undefined>
  /** Those that users made, the newest first. */
  list(accountId: string, sourceId: string | undefined, page: PageRequest): Promise<Page<ListedClip>>
  /** False when the account has no such clip. */
  rename(accountId: string, id: string, alias: string): Promise<boolean>
  /** Of each account the first that waits for its turn on this node, and for nothing else. */
  listFirstWaiting(endedBefore: number): Promise<Pick<Clip, 'id' | 'accountId'>[]>
  /** It is being cut, on this node. Undefined when it is gone, or done. */
  begin(id: string, now: number): Promise<Clip | undefined>
  /** What follows answers false when it is gone: nothing more is to be done for it. */
  setProgress(id: string, progress: number): Promise<boolean>
  /** It is tried again later, because of this. */
  wait(id: string, error: string): Promise<boolean>
  finish(id: string, finished: FinishedClip, now: number): Promise<boolean>
  fail(id: string, error: string, now: number): Promise<boolean>
  /** A link's was opened. */
  touch(id: string, now: number): Promise<void>
  /** False when it was gone. `alongside` is written in the same transaction. */
  remove(id: string, alongside: (tx: Queryable) => Promise<void>): Promise<boolean>
}

export function createClipStore(db: Db, node: OwnNode | null = null): ClipStore {
  const listed = () =>
    db
      .selectFrom('clip')
      .leftJoin('source', 'source.id', 'clip.source_id')
      .selectAll('clip')
      .select('source.alias as source_alias')

  /** Changes one that is not done yet. */
  async function change(id: string, set: Partial<ClipRow>): Promise<boolean> {
    const query = db.updateTable('clip').set(set).where('id', '=', id).where('state', 'in', ['waiting', 'working'])
    return (await query.executeTakeFirst()).numUpdatedRows > 0n
  }

  return {
    ...createKeptClips(db, node),
    insert: (clip, limits, addJob) =>
      db.transaction().execute(async (tx) => {
        // Writing the account's row first makes those that come at once wait for each other.
        await lockActiveAccount(tx, clip.accountId)
        const existing = clip.uniqueKey === null ? undefined : await findByKey(tx, clip.uniqueKey)
        if (existing) return existing
        await checkLimits(tx, clip, limits)
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('clip')
          .values(toRow(clip))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        // Of another account somebody was quicker: nobody made it up.
        if (numInsertedOrUpdatedRows === 0n) return (await findByKey(tx, clip.uniqueKey!))!
        await addJob(clip, tx)
        return clip
      }),
    async find(id) {
      const row = await listed().where('clip.id', '=', id).executeTakeFirst()
      return row && toListed(row)
    },
    async findByKey(uniqueKey) {
      const row = await listed().where('clip.unique_key', '=', uniqueKey).executeTakeFirst()
      return row && toListed(row)
    },
    list(accountId, sourceId, page) {
      const own = listed().where('clip.account_id', '=', accountId).where('clip.kind', '=', 'user')
      const query = sourceId === undefined ? own : own.where('clip.source_id', '=', sourceId)
      return listPage(query, page, toListed, 'clip.id')
    },
    async rename(accountId, id, alias) {
      const query = db.updateTable('clip').set({ alias }).where('id', '=', id).where('account_id', '=', accountId)
      return (await query.where('kind', '=', 'user').executeTakeFirst()).numUpdatedRows > 0n
    },
    async listFirstWaiting(endedBefore) {
      const rows = await db
        .selectFrom('clip')
        .select((eb) => ['account_id', eb.fn.min<string>('id').as('id')])
        .where('state', '=', 'waiting')
        // One that failed waits for longer.
        .where('error', 'is', null)
        .where('to_at', '<=', endedBefore)
        // Of several nodes, what any of them may cut has a job that another one may have begun.
        .where((eb) => (node ? eb('node_id', '=', node.id) : eb.lit(true)))
        .groupBy('account_id')
        .execute()
      return rows.map(({ id, account_id: accountId }) => ({ id, accountId }))
    },
    async begin(id, now) {
      const row = await db
        .updateTable('clip')
        .set((eb) => ({
          state: 'working',
          node_id: node?.id ?? null,
          progress: 0,
          error: null,
          started_at: now,
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', '=', id)
        .where('state', 'in', ['waiting', 'working'])
        .returningAll()
        .executeTakeFirst()
      return row && toClip(row)
    },
    setProgress: (id, progress) => change(id, { progress }),
    wait: (id, error) => change(id, { state: 'waiting', progress: 0, error }),
    finish: (id, { parts, gaps, note }, now) =>
      change(id, {
        state: 'ready',
        progress: 100,
        error: null,
        note,
        parts: JSON.stringify(parts),
        gaps: JSON.stringify(gaps),
        size_bytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        finished_at: now,
      }),
    fail: (id, error, now) => change(id, { state: 'failed', error, size_bytes: 0, finished_at: now }),
    async touch(id, now) {
      await db.updateTable('clip').set({ used_at: now }).where('id', '=', id).execute()
    },
    remove: (id, alongside) =>
      db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx.deleteFrom('clip').where('id', '=', id).executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await alongside(tx)
        return true
      }),
  }
}

async function checkLimits(tx: Queryable, { accountId, kind }: Clip, { waiting, all }: ClipLimits): Promise<void> {
  const counted = await tx
    .selectFrom('clip')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.countAll<number>().filterWhere('state', 'in', ['waiting', 'working']).as('waiting'),
    ])
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  if (Number(counted.waiting) >= waiting) throw new AppError('clip-limit-reached', { limit: waiting })
  // Those of links go by themselves.
  if (kind === 'user' && Number(counted.all) >= all) throw new AppError('clip-limit-reached', { limit: all })
}

async function findByKey(tx: Queryable, uniqueKey: string): Promise<Clip | undefined> {
  const row = await tx.selectFrom('clip').selectAll().where('unique_key', '=', uniqueKey).executeTakeFirst()
  return row && toClip(row)
}

const toListed = (row: ClipRow & { readonly source_alias: string | null }): ListedClip => ({
  ...toClip(row),
  sourceAlias: row.source_alias,
})
