import { join } from 'node:path'
import { type Clock } from '../../core/clock.ts'
import { forEachAtOnce } from '../../core/for-each-at-once.ts'
import { type Backoff, backoffMs } from '../../core/retry.ts'
import { type Log } from '../../observe/log.ts'
import { type Bucket } from './bucket.ts'
import { BucketFailure } from './bucket-failure.ts'
import { type FileCount, type StoredFileRecord, type StoredFileStore } from './stored-files.store.ts'

export interface UploaderDeps {
  readonly dataDir: string
  readonly bucket: Pick<Bucket, 'put'>
  readonly store: Pick<StoredFileStore, 'listWaiting' | 'postpone' | 'setStored' | 'drop' | 'count'>
  /** It was put, and nobody knows of it any more. */
  readonly onUnknown: (key: string) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

export interface UploaderStatus {
  readonly waiting: FileCount
  /** What keeps files from being put now. */
  readonly lastError: { readonly sentence: string; readonly at: number } | null
}

/** Puts what waits into the store. While that is away, files wait on the disk. */
export interface Uploader {
  readonly status: UploaderStatus
  /** Puts some of what waits. False when there is nothing more to be done now. */
  putSome(signal: AbortSignal): Promise<boolean>
  /** Ends the putting of these, which are not wanted any more; resolves when they are not being sent any more. */
  abandon(keys: readonly string[]): Promise<void>
}

const AT_ONCE = 4
const BATCH = 64
/** Between two attempts at a store that is away. */
const STORE_WAITS: Backoff = { firstMs: 2_000, maxMs: 300_000 }
/** Between two attempts at a file that the store does not take. */
const FILE_WAIT_MS = 600_000

export function createUploader({ dataDir, bucket, store, onUnknown, clock, log }: UploaderDeps): Uploader {
  const putting = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  let status: UploaderStatus = { waiting: { files: 0, bytes: 0 }, lastError: null }
  let failures = 0
  let nextTryAt = -Infinity

  function onStoreFailure({ message }: BucketFailure): void {
    status = { ...status, lastError: { sentence: message, at: clock.now() } }
    // Several that were under way fail at the same time.
    if (clock.steady() < nextTryAt) return
    if (failures === 0) log.warn({ reason: message }, 'the object store cannot be used: files wait on the disk')
    nextTryAt = clock.steady() + backoffMs(failures, STORE_WAITS)
    failures += 1
  }

  function onSuccess(): void {
    if (failures > 0) log.info('the object store can be used again')
    failures = 0
    status = { ...status, lastError: null }
  }

  async function onFileFailure(file: StoredFileRecord, error: Error): Promise<void> {
    log.warn({ err: error, file: file.file }, 'a file cannot be put into the object store; trying again later')
    status = { ...status, lastError: { sentence: error.message, at: clock.now() } }
    await store.postpone(file, clock.now() + FILE_WAIT_MS)
  }

  async function put(file: StoredFileRecord, signal: AbortSignal): Promise<void> {
    try {
      const contentType = file.file.endsWith('.jpg') ? 'image/jpeg' : 'video/mp4'
      const sizeBytes = await bucket.put(file.key, join(dataDir, file.file), { contentType, signal })
      onSuccess()
      if (!(await store.setStored(file, sizeBytes))) await onUnknown(file.key)
    } catch (error) {
      if (signal.aborted) return
      // Nothing could be put, now or later: it was removed by hand, or its feature is about to remove its row.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return store.drop(file)
      if (!(error instanceof BucketFailure)) throw error
      if (error.about === 'store') onStoreFailure(error)
      else await onFileFailure(file, error)
    }
  }

  /** Whoever removes the file can end it. */
  async function putTracked(file: StoredFileRecord, signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    const onAbort = () => stop.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    const done = put(file, stop.signal)
    putting.set(file.key, { stop, ended: done.catch(() => {}) })
    try {
      await done
    } finally {
      putting.delete(file.key)
      signal.removeEventListener('abort', onAbort)
    }
  }

  return {
    get status() {
      return status
    },
    async putSome(signal) {
      status = { ...status, waiting: await store.count('disk') }
      if (clock.steady() < nextTryAt) return false
      const failuresBefore = failures
      const isGoingOn = () => !signal.aborted && failures <= failuresBefore
      const waiting = await store.listWaiting(clock.now(), failures > 0 ? 1 : BATCH)
      // One that fails for the store's sake ends the batch; all that were begun are waited for.
      const outcomes: unknown[] = []
      await forEachAtOnce(waiting, AT_ONCE, async (file) => {
        if (isGoingOn()) await putTracked(file, signal).catch((error: unknown) => void outcomes.push(error))
      })
      if (outcomes.length > 0) throw outcomes[0]
      status = { ...status, waiting: await store.count('disk') }
      return waiting.length > 0 && isGoingOn()
    },
    async abandon(keys) {
      const ending = keys.flatMap((key) => putting.get(key) ?? [])
      for (const { stop } of ending) stop.abort()
      await Promise.all(ending.map(({ ended }) => ended))
    },
  }
}
