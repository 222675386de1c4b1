import { type Account } from '../core/account.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { endStates, isLive, liveStates, type ProcessState } from '../core/process-facts.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type PipelineStats } from '../pipeline/messages.ts'
import { type Db, lockActiveAccount } from '../storage/database.ts'
import { reachedLimitOf, type StartLimit } from '../storage/process-slots.ts'
import { findOwned, findTaken, inBatches, isOfNode, listPage, parseOrNull } from '../storage/queries.ts'
import { type ProcessRow } from '../storage/schema.ts'
import { type FixedOptions, type Process, type StopReason } from './process.ts'

export interface ProcessStore {
  /** The process is noted as this node's, unless the account already runs as many as it may or has no minutes left. */
  insertWithinLimits(account: Account, process: Process): Promise<'inserted' | StartLimit>
  update(process: Process): Promise<void>
  /** A start that came to nothing leaves nothing. */
  remove(id: string): Promise<void>
  find(accountId: string, id: string): Promise<Process | undefined>
  list(accountId: string, page: ProcessPage): Promise<Page<Process>>
  /** Those that the accounts of these sources have on them: a page of each part of the list. */
  listOn(sourceIds: readonly string[], page: ProcessPage): Promise<Page<Process>[]>
  /** Those of an account that have not ended as far as is written, and that are this node's. */
  listUnended(accountId: string): Promise<Process[]>
  /** Of those that are taken up, the ones that have not ended as far as is written; of all, those that are this node's. */
  listTaken(ids: TakenIds): Promise<Process[]>
  exists(id: string): Promise<boolean>
  /** Whose these are, and whether they have ended; those that are forgotten are left out. */
  findOwners(ids: readonly string[]): Promise<{ processId: string; accountId: string; hasEnded: boolean }[]>
  /** How many of each of these accounts run, on whichever node; those for whom none does are left out. */
  countRunning(accountIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** On all nodes, of all accounts. */
  countRunningInAll(): Promise<number>
  listEndedSince(time: number): Promise<string[]>
  removeEndedBefore(time: number): Promise<void>
  removeAllOf(accountId: string): Promise<void>
}

export interface ProcessPage extends PageRequest {
  /** `live` are all that go on. */
  readonly state?: ProcessState | 'live' | undefined
}

const statesOf = (state: ProcessState | 'live') => (state === 'live' ? liveStates : [state])

/** The rows that are to be this node's. Which node has a process is not changed here, but where processes are given to nodes. */
export function createProcessStore(db: Db, node: OwnNode | null = null): ProcessStore {
  const unended = db.selectFrom('process').selectAll().where('state', 'in', liveStates).orderBy('id')
  const own = { node_id: node?.id ?? null, node_epoch: node?.epoch ?? null }

  return {
    insertWithinLimits: (account, process) =>
      db.transaction().execute(async (tx) => {
        // Concurrent starts of one account wait for each other here.
        await lockActiveAccount(tx, account.id)
        const reached = await reachedLimitOf(tx, account)
        if (reached) return reached
        await tx
          .insertInto('process')
          .values({ ...toRow(process), ...own, placement: toPlacement(process.options) })
          .execute()
        return 'inserted'
      }),
    async update(process) {
      // Whether it has a report is not ours to say again: its user may have deleted it.
      const { is_reported: _, ...row } = toRow(process)
      await db.updateTable('process').set(row).where('id', '=', process.id).execute()
    },
    async remove(id) {
      await db.deleteFrom('process').where('id', '=', id).execute()
    },
    async find(accountId, id) {
      const row = await findOwned(db.selectFrom('process').selectAll(), accountId, id)
      return row && toProcess(row)
    },
    list(accountId, page) {
      let query = db.selectFrom('process').selectAll().where('account_id', '=', accountId)
      if (page.state) query = query.where('state', 'in', statesOf(page.state))
      return listPage(query, page, toProcess)
    },
    async listOn(sourceIds, page) {
      const pages: Page<Process>[] = []
      for (const some of inBatches(sourceIds)) {
        const query = db
          .selectFrom('process')
          .innerJoin('source', (join) =>
            join.onRef('source.id', '=', 'process.source_id').onRef('source.account_id', '=', 'process.account_id'),
          )
          .selectAll('process')
          .where('source.id', 'in', some)
          .$if(page.state !== undefined, (all) => all.where('process.state', 'in', statesOf(page.state!)))
        pages.push(await listPage(query, page, toProcess, 'process.id'))
      }
      return pages
    },
    async listUnended(accountId) {
      const rows = await unended.where('account_id', '=', accountId).where(isOfNode(node)).execute()
      return rows.map(toProcess)
    },
    async listTaken(ids) {
      const rows = await findTaken(ids, (some) =>
        unended.where((eb) => (some ? eb('id', 'in', some) : isOfNode(node))).execute(),
      )
      return rows.map(toProcess)
    },
    async exists(id) {
      return (await db.selectFrom('process').select('id').where('id', '=', id).execute()).length > 0
    },
    async findOwners(ids) {
      const owners = []
      for (const some of inBatches(ids)) {
        const rows = await db
          .selectFrom('process')
          .select(['id', 'account_id', 'state'])
          .where('id', 'in', some)
          .execute()
        for (const { id, account_id: accountId, state } of rows)
          owners.push({ processId: id, accountId, hasEnded: !isLive(state) })
      }
      return owners
    },
    async listEndedSince(time) {
      const query = db
        .selectFrom('process')
        .select('id')
        .where('state', 'in', endStates)
        .where('stopped_at', '>=', time)
      return (await query.execute()).map(({ id }) => id)
    },
    async countRunning(accountIds) {
      const rows = await db
        .selectFrom('process')
        .select(({ fn }) => ['account_id', fn.countAll<number | string>().as('count')])
        .where('state', '=', 'running')
        .where('account_id', 'in', accountIds)
        .groupBy('account_id')
        .execute()
      return new Map(rows.map(({ account_id: accountId, count }) => [accountId, Number(count)]))
    },
    async countRunningInAll() {
      const row = await db
        .selectFrom('process')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },
    async removeEndedBefore(time) {
      await db
        .deleteFrom('process')
        .where('state', 'in', endStates)
        .where('stopped_at', '<', time)
        // As long as there is a report, there is what it is about.
        .where('is_reported', '=', 0)
        .execute()
    },
    async removeAllOf(accountId) {
      await db.deleteFrom('process').where('account_id', '=', accountId).where('state', 'in', endStates).execute()
    },
  }
}

function toProcess(row: ProcessRow): Process {
  return {
    id: row.id,
    accountId: row.account_id,
    sourceId: row.source_id,
    sourceUrl: row.source_url,
    sourceType: row.source_type,
    options: { ...storedOptions(row.options), labels: labelsOf(row.placement), isReported: row.is_reported === 1 },
    state: row.state,
    createdAt: row.created_at,
    startedAt: row.started_at,
    stoppedAt: row.stopped_at,
    stopReason: row.stop_reason as StopReason | null,
    error: row.error,
    restarts: row.restarts,
    lastTrackId: row.last_track_id,
    consumedMs: row.consumed_ms,
    stats: parseOrNull<PipelineStats>(row.stats),
  }
}

/** Processes of earlier versions began at once, and were all alike. */
function storedOptions(text: string): FixedOptions {
  const stored = JSON.parse(text) as Omit<FixedOptions, 'begins' | 'priority'> & Partial<FixedOptions>
  return { ...stored, begins: stored.begins ?? 'now', priority: stored.priority ?? 'normal' }
}

/** Beside the other options, where whoever places processes reads it. */
function toPlacement({ labels }: FixedOptions): string | null {
  return labels.length === 0 ? null : JSON.stringify({ labels })
}

function labelsOf(placement: string | null): readonly string[] {
  return parseOrNull<{ labels: readonly string[] }>(placement)?.labels ?? []
}

/** Without where it is placed, which is not its own node's to say. */
function toRow(process: Process): Omit<ProcessRow, 'node_id' | 'node_epoch' | 'placement'> {
  const { labels: _, ...options } = process.options
  return {
    id: process.id,
    account_id: process.accountId,
    source_id: process.sourceId,
    source_url: process.sourceUrl,
    source_type: process.sourceType,
    state: process.state,
    options: JSON.stringify(options),
    created_at: process.createdAt,
    started_at: process.startedAt,
    stopped_at: process.stoppedAt,
    stop_reason: process.stopReason,
    error: process.error,
    restarts: process.restarts,
    last_track_id: process.lastTrackId,
    consumed_ms: process.consumedMs,
    stats: process.stats && JSON.stringify(process.stats),
    is_reported: process.options.isReported ? 1 : 0,
  }
}
