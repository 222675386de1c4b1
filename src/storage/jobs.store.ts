import { sql } from 'kysely'
import { type OwnNode } from '../core/own-node.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Database, type Queryable } from './database.ts'
import { type JobRow } from './schema.ts'

export interface Job {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  /** This one included. */
  readonly attempts: number
  readonly createdAt: number
}

export interface NewJob {
  readonly kind: string
  readonly payload: unknown
  readonly runAt: number
  /** With a key, a job of the same kind and key that is still to be done stays as it is, and this one is not added. */
  readonly uniqueKey?: string
  /** It is about what is on this machine: of a service of several nodes, no other does it. */
  readonly isOfNode?: boolean
  /** The same of another node. */
  readonly nodeId?: string
}

export interface DeadJobCount {
  readonly kind: string
  readonly count: number
}

/** Jobs in the database. A job is there until it is done; what is dead waits for a person, for a while. */
export interface JobStore {
  /** `tx` puts the job into the same transaction as what it is about: both happen or neither. */
  add(job: NewJob, now: number, tx?: Queryable): Promise<void>
  /**
   * Takes up to `count` due jobs, and those whose runner died (their lease is over). Nobody else gets them before `leaseUntil`.
   * One that is further ahead than `aheadMs` is due too: its time is of a clock that was set back since.
   */
  claim(kind: string, count: number, owner: string, now: number, leaseUntil: number, aheadMs: number): Promise<Job[]>
  /** False when the lease was lost to somebody else. */
  extendLease(id: string, owner: string, leaseUntil: number): Promise<boolean>
  complete(id: string, owner: string): Promise<void>
  retry(id: string, owner: string, runAt: number, error: string): Promise<void>
  bury(id: string, owner: string, diedAt: number, error: string): Promise<void>
  /** Dead jobs, newest first. */
  listDead(kind: string, limit?: number): Promise<(Job & { readonly lastError: string | null })[]>
  countDead(): Promise<DeadJobCount[]>
  removeDeadBefore(diedBefore: number): Promise<void>
}

/** A node does its own jobs, and those that any can do. */
export function createJobStore({ db, dialect }: Database, node: OwnNode | null = null): JobStore {
  const owned = (id: string, owner: string) => ({ id, lease_owner: owner, state: 'running' }) as const

  return {
    async add({ kind, payload, runAt, uniqueKey, isOfNode = false, ...given }, now, tx = db) {
      const nodeId = given.nodeId ?? (isOfNode ? (node?.id ?? null) : null)
      await tx
        .insertInto('job')
        .values({
          id: orderedUuid(),
          kind,
          unique_key: uniqueKey === undefined ? null : keyOnNode(uniqueKey, nodeId),
          payload: JSON.stringify(payload),
          state: 'waiting',
          run_at: runAt,
          attempts: 0,
          lease_until: null,
          lease_owner: null,
          last_error: null,
          created_at: now,
          node_id: nodeId,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    async claim(kind, count, owner, now, leaseUntil, aheadMs) {
      const rows = await db
        .updateTable('job')
        .set((eb) => ({
          state: 'running',
          lease_owner: owner,
          lease_until: leaseUntil,
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('job')
            .select('id')
            .where('kind', '=', kind)
            .where((own) => own.or([own('node_id', 'is', null), ...(node ? [own('node_id', '=', node.id)] : [])]))
            .where((or) =>
              or.or([
                or.and([or('state', '=', 'waiting'), or('run_at', '<=', now)]),
                or.and([or('state', '=', 'running'), or('lease_until', '<=', now)]),
                or.and([or('state', '=', 'waiting'), or('run_at', '>', now + aheadMs)]),
                or.and([or('state', '=', 'running'), or('lease_until', '>', leaseUntil + aheadMs)]),
              ]),
            )
            .orderBy('run_at')
            .orderBy('id')
            .limit(count)
            // SQLite has one writer at a time; PostgreSQL needs SKIP LOCKED to pass over what another runner is taking.
            .$if(dialect === 'postgres', (query) => query.modifyEnd(sql`for update skip locked`)),
        )
        .returningAll()
        .execute()
      return rows.sort((a, b) => a.run_at - b.run_at || (a.id < b.id ? -1 : 1)).map(toJob)
    },
    async extendLease(id, owner, leaseUntil) {
      const result = await db
        .updateTable('job')
        .set({ lease_until: leaseUntil })
        .where(matches(owned(id, owner)))
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    },
    async complete(id, owner) {
      await db
        .deleteFrom('job')
        .where(matches(owned(id, owner)))
        .execute()
    },
    async retry(id, owner, runAt, error) {
      await db
        .updateTable('job')
        .set({ state: 'waiting', run_at: runAt, lease_owner: null, lease_until: null, last_error: error })
        .where(matches(owned(id, owner)))
        .execute()
    },
    async bury(id, owner, diedAt, error) {
      await db
        .updateTable('job')
        .set({ state: 'dead', run_at: diedAt, lease_owner: null, lease_until: null, last_error: error })
        .where(matches(owned(id, owner)))
        .execute()
    },
    async listDead(kind, limit = 1000) {
      const query = db.selectFrom('job').selectAll().where('kind', '=', kind).where('state', '=', 'dead')
      const rows = await query.orderBy('id', 'desc').limit(limit).execute()
      return rows.map((row) => ({ ...toJob(row), lastError: row.last_error }))
    },
    async countDead() {
      const counted = db.selectFrom('job').select(['kind', (eb) => eb.fn.countAll().as('count')])
      const rows = await counted.where('state', '=', 'dead').groupBy('kind').orderBy('kind').execute()
      return rows.map(({ kind, count }) => ({ kind, count: Number(count) }))
    },
    async removeDeadBefore(diedBefore) {
      await db.deleteFrom('job').where('state', '=', 'dead').where('run_at', '<', diedBefore).execute()
    },
  }
}

/** Each node has its own of what there is once. */
const keyOnNode = (key: string, nodeId: string | null) => (nodeId === null ? key : `${key}@${nodeId}`)

function matches(values: { id: string; lease_owner: string; state: 'running' }) {
  return sql<boolean>`id = ${values.id} and lease_owner = ${values.lease_owner} and state = ${values.state}`
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    payload: JSON.parse(row.payload),
    attempts: row.attempts,
    createdAt: row.created_at,
  }
}
