import { type Clock } from '../../core/clock.ts'
import { forEachAtOnce } from '../../core/for-each-at-once.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { backoffMs } from '../../core/retry.ts'
import { type OwnNode } from '../../core/own-node.ts'
import { createTurns } from '../../core/turns.ts'
import { type Log } from '../../observe/log.ts'
import { type Metrics } from '../../observe/metrics.ts'
import { type Db, type Queryable } from '../database.ts'
import { type DiskBudget } from '../disk-budget.ts'
import { type JobKind, RETRY_WAITS } from '../job-kind.ts'
import { type JobRunner } from '../job-runner.ts'
import { type JobStore } from '../jobs.store.ts'
import { createBorrowedCopies } from './borrowed-copies.ts'
import { createBucket } from './bucket.ts'
import { createFetcher } from './fetcher.ts'
import { createFilePlaces, type FilePlaces } from './file-places.ts'
import { createLocalCopies } from './local-copies.ts'
import { createSettledFiles } from './settled-files.ts'
import { type StorableKind } from './storable-kind.ts'
import { createStoreReader } from './store-reader.ts'
import { createStoredFileStore, type FileCount } from './stored-files.store.ts'
import { createUploader, type UploaderStatus } from './uploader.ts'

export interface ObjectStoreDeps {
  readonly dataDir: string
  /** Undefined where none is set; what was stored while one was is still known. */
  readonly config: ObjectStoreConfig | undefined
  readonly db: Db
  readonly jobStore: Pick<JobStore, 'add'>
  readonly runner: Pick<JobRunner, 'wake'>
  readonly budget: Pick<DiskBudget, 'count' | 'state' | 'trim' | 'addSpare'>
  readonly metrics: Pick<Metrics, 'addGauge'>
  /** Of several; its files are those on this machine. */
  readonly node?: OwnNode | null
  readonly clock: Clock
  readonly log: Log
}

export interface ObjectStoreStatus extends UploaderStatus {
  readonly stored: FileCount
}

/** Files that are kept in the operator's bucket too, or only there. */
export interface ObjectStore {
  readonly places: FilePlaces
  readonly jobs: readonly JobKind[]
  /** Null where none is set. */
  readonly status: () => Promise<ObjectStoreStatus | null>
  /** Removes what an earlier service had fetched of other nodes' files. */
  readonly restore: () => Promise<void>
  readonly close: () => Promise<void>
}

/** How often it is looked for what is to be put. */
const PASS_EVERY_MS = 2_000
const NOTE_EVERY_MS = 10_000
const REMOVAL_JOB = 'object-store-removal'
const KEYS_IN_A_JOB = 500
const REMOVED_AT_ONCE = 4

export function createObjectStore(deps: ObjectStoreDeps): ObjectStore {
  const { dataDir, config, node = null, db, jobStore, runner, budget, metrics, clock, log } = deps
  const store = createStoredFileStore(db, node?.id, { hasBucket: config !== undefined })
  const bucket = config && createBucket(config, clock)
  const kinds: StorableKind[] = []
  const turns = createTurns()
  const closing = new AbortController()
  const countBytes = sharedWhileUnderWay(() => store.bytesByKind())
  const reader = createStoreReader(bucket, config?.links ?? 'proxied')
  const borrowed = createBorrowedCopies({ dataDir, kinds, turns, clock })
  const fetcher = createFetcher({
    dataDir,
    reader,
    store,
    budget,
    nodeId: node?.id,
    borrowed,
    turns,
    signal: closing.signal,
    clock,
  })

  /** Once it is written, the object goes, however often that must be tried. */
  async function addRemoval(keys: readonly string[], tx: Queryable = db): Promise<void> {
    for (let start = 0; start < keys.length; start += KEYS_IN_A_JOB) {
      const payload = { keys: keys.slice(start, start + KEYS_IN_A_JOB) }
      await jobStore.add({ kind: REMOVAL_JOB, payload, runAt: clock.now() }, clock.now(), tx)
    }
    runner.wake(REMOVAL_JOB)
  }

  const copies = createLocalCopies({
    dataDir,
    kinds,
    keepLocalMs: config?.keepLocalMs ?? Infinity,
    store,
    countBytes,
    borrowed,
    turns,
    clock,
  })
  budget.count(copies.kept)
  budget.addSpare({ drop: (bytes) => copies.drop(bytes) })

  const uploader =
    bucket && createUploader({ dataDir, bucket, store, onUnknown: (key) => addRemoval([key]), clock, log })
  const noteSettled = createSettledFiles({
    dataDir,
    kinds,
    isNoted: ({ isFoundByNote = false }) => bucket !== undefined || isFoundByNote,
    store,
    clock,
  })

  const jobs: JobKind[] = []
  if (bucket && uploader) {
    jobs.push(
      {
        kind: 'object-store',
        everyMs: PASS_EVERY_MS,
        async handle(_job, signal) {
          do {
            await noteSettled(signal)
            await copies.dropOld(signal)
          } while (!signal.aborted && (await uploader.putSome(signal)))
          await copies.dropOld(signal)
        },
      },
      {
        kind: REMOVAL_JOB,
        // Never buried, however old: the bucket would keep for ever what nobody knows of.
        onFailure: ({ attempts }) => ({ do: 'retry', inMs: backoffMs(attempts - 1, RETRY_WAITS) }),
        async handle({ payload }, signal) {
          const { keys } = payload as { readonly keys: readonly string[] }
          await uploader.abandon(keys)
          await forEachAtOnce(keys, REMOVED_AT_ONCE, (key) => bucket.remove(key, signal))
        },
      },
    )
    addMetrics(metrics, () => uploader.status)
  } else if (node)
    jobs.push({ kind: 'settled-files', everyMs: NOTE_EVERY_MS, handle: (_job, signal) => noteSettled(signal) })

  return {
    places: createFilePlaces({
      dataDir,
      nodeId: node?.id,
      kinds,
      store,
      countBytes,
      reader,
      fetcher,
      forget: (which) => store.remove(which, addRemoval),
      clock,
      log,
    }),
    jobs,
    restore: () => borrowed.restore(),
    status: async () => (uploader ? { ...uploader.status, stored: await store.count('store', 'both') } : null),
    async close() {
      closing.abort()
      await Promise.all(turns.keys().map((key) => turns.take(key, async () => {})))
    },
  }
}

/** All kinds are counted at the same time, by one look at the table. */
function sharedWhileUnderWay<T>(act: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined
  return () => (underWay ??= act().finally(() => (underWay = undefined)))
}

function addMetrics(metrics: Pick<Metrics, 'addGauge'>, status: () => UploaderStatus): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.addGauge({ name, help, labels: [], read: () => [{ labels: {}, value: read() }] })
  gauge('aerie_object_store_waiting_files', 'Files that wait to be put into the object store.', () => {
    return status().waiting.files
  })
  gauge('aerie_object_store_waiting_bytes', 'What these have together.', () => status().waiting.bytes)
  gauge('aerie_object_store_failing', '1 while something keeps files from being put into the object store.', () => {
    return status().lastError ? 1 : 0
  })
}
