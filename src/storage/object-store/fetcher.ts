import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Clock } from '../../core/clock.ts'
import { isSettledWithin } from '../../core/deadline.ts'
import { AppError } from '../../core/errors.ts'
import { type Turns } from '../../core/turns.ts'
import { type DiskBudget } from '../disk-budget.ts'
import { type BorrowedCopies } from './borrowed-copies.ts'
import { type StoreReader, toAppError } from './store-reader.ts'
import { type StoredFileRecord, type StoredFileStore } from './stored-files.store.ts'

export interface FetcherDeps {
  readonly dataDir: string
  readonly reader: Pick<StoreReader, 'open'>
  readonly store: Pick<StoredFileStore, 'find' | 'setPlace'>
  readonly budget: Pick<DiskBudget, 'state' | 'trim'>
  /** Of several; undefined in a service of one node. */
  readonly nodeId: string | undefined
  readonly borrowed: Pick<BorrowedCopies, 'makeRoomFor' | 'add' | 'find'>
  /** By file: what is being fetched is not removed. */
  readonly turns: Turns
  /** Aborts when the service ends. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Brings files back to the disk, for those who read them by their path. */
export interface Fetcher {
  /**
   * Resolves with the path; undefined where the file is neither on the disk nor in the store. What takes longer than somebody waits
   * rejects with `file-being-fetched`, and goes on.
   */
  bring(file: string): Promise<string | undefined>
}

const MAX_AT_ONCE = 4
const MAX_WAIT_MS = 10_000
const RETRY_AFTER_SECONDS = 5
/** It was fetched to be used: so long it stays even where nothing is kept on the disk. */
const STAYS_MS = 600_000

interface Fetch {
  readonly done: Promise<string | undefined>
  sizeBytes: number
  doneBytes: number
}

export function createFetcher(deps: FetcherDeps): Fetcher {
  const { dataDir, reader, store, budget, nodeId, borrowed, turns, signal, clock } = deps
  const fetches = new Map<string, Fetch>()

  async function checkRoom(bytes: number): Promise<void> {
    let state = await budget.state()
    if (state.leftBytes < bytes) state = (await budget.trim(signal)) ?? (await budget.state())
    if (state.diskLeftBytes < bytes) throw new AppError('disk-full')
  }

  async function makeRoomFor(file: string): Promise<string> {
    const path = join(dataDir, file)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }

  async function findHere(file: string): Promise<string | undefined> {
    const path = join(dataDir, file)
    return (await stat(path).catch(() => undefined)) ? path : borrowed.find(file)
  }

  async function download(stored: StoredFileRecord, fetch: Fetch): Promise<string> {
    fetch.sizeBytes = stored.sizeBytes
    await checkRoom(stored.sizeBytes)
    const isOwn = stored.nodeId === (nodeId ?? null)
    const path = isOwn ? await makeRoomFor(stored.file) : await borrowed.makeRoomFor(stored.file)
    const partial = `${path}.fetching`
    const { body } = await reader.open(stored, { signal })
    async function* counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        fetch.doneBytes += chunk.length
        if (fetch.doneBytes > stored.sizeBytes) break
        yield chunk
      }
    }
    try {
      await pipeline(body, counted, createWriteStream(partial, { mode: 0o600, flush: true }), { signal })
      const { size } = await stat(partial)
      if (size !== stored.sizeBytes)
        throw new AppError('object-store-unusable', {
          reason: `It has ${fetch.doneBytes} bytes of a file of ${stored.sizeBytes}.`,
        })
      await rename(partial, path)
    } catch (error) {
      await rm(partial, { force: true })
      throw toAppError(error)
    }
    if (isOwn) await store.setPlace(stored, 'both', clock.now() + STAYS_MS)
    else borrowed.add(stored)
    return path
  }

  async function fetchOnce(file: string, fetch: Fetch): Promise<string | undefined> {
    const path = await findHere(file)
    if (path !== undefined) return path
    const stored = await store.find(file)
    return stored && stored.place !== 'disk' ? download(stored, fetch) : undefined
  }

  function begin(file: string): Fetch {
    if (fetches.size >= MAX_AT_ONCE)
      throw new AppError(
        'object-store-unusable',
        { reason: `As many files are being fetched as may be at once (${MAX_AT_ONCE}).` },
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    const fetch: { -readonly [K in keyof Fetch]: Fetch[K] } = {
      done: Promise.resolve(undefined),
      sizeBytes: 0,
      doneBytes: 0,
    }
    fetch.done = turns.take(file, () => fetchOnce(file, fetch)).finally(() => fetches.delete(file))
    // Whoever waited may have left.
    fetch.done.catch(() => {})
    fetches.set(file, fetch)
    return fetch
  }

  return {
    async bring(file) {
      // The usual case, without a look at the database.
      const path = fetches.has(file) ? undefined : await findHere(file)
      if (path !== undefined) return path
      const fetch = fetches.get(file) ?? begin(file)
      // Its failure is its outcome too.
      if (
        await isSettledWithin(
          fetch.done.catch(() => {}),
          MAX_WAIT_MS,
          clock,
        )
      )
        return fetch.done
      throw new AppError(
        'file-being-fetched',
        {
          percent: Math.floor((100 * fetch.doneBytes) / Math.max(1, fetch.sizeBytes)),
          size_bytes: fetch.sizeBytes,
          retry_after_seconds: RETRY_AFTER_SECONDS,
        },
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    },
  }
}
