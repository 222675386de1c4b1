import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { chooseRun } from './hls-choice.ts'
import { createHlsViewers, type WatchRequest } from './hls-viewers.ts'
import { type HlsAnswer, type HlsWorker, startHlsWorker } from './hls-worker.ts'
import { type WatchAccess } from './watch-access.ts'

export interface HlsDeps {
  readonly access: WatchAccess
  readonly livePaths: { isLive(path: string): boolean }
  readonly internalTokens: {
    issue(right: { action: 'read'; path: string }): string
    revoke(token: string): void
  }
  readonly rtspUrl: (path: string, token: string) => string
  readonly signer: LinkSigner
  readonly clock: Clock
  readonly log: Log
  /** A path that nobody has asked for so long is no longer made. */
  readonly idleMs?: number
  readonly maxWorkers?: number
}

export interface HlsQuestion extends WatchRequest {
  /** A name that a playlist gave, or `index.m3u8`. */
  readonly file: string
  /** What a player asks of the playlist: `_HLS_msn=…`. */
  readonly search: string
  /** The player is gone. */
  readonly signal: AbortSignal
}

/** HLS of every live path, made on demand. */
export interface Hls {
  answer(question: HlsQuestion): Promise<HlsAnswer>
  /** How many watch this path now. */
  viewers(path: string): number
  close(): Promise<void>
}

const IDLE_MS = 30_000
const MAX_WORKERS = 64
/** A worker that can't start is not tried again at every request. */
const PAUSE_AFTER_FAILURE_MS = 1_000
const MAX_REMEMBERED_FAILURES = 1_000
const LOOK_EVERY_MS = 50

export function createHls(deps: HlsDeps): Hls {
  const { livePaths, clock, log, idleMs = IDLE_MS, maxWorkers = MAX_WORKERS } = deps
  const viewers = createHlsViewers(deps)
  const workers = new Map<string, HlsWorker>()
  /** Those before them, whose streams broke off just now. */
  const overWorkers = new Map<string, HlsWorker>()
  const failures = new Map<string, { at: number; sentence: string }>()
  const closing = new AbortController()
  let folder: string | undefined
  let started = 0

  function workerFor({ path, file, isFirst }: HlsQuestion): HlsWorker {
    const [newest, earlier] = [workers.get(path), overWorkers.get(path)]
    const choice = chooseRun({ file, isFirst, isLive: livePaths.isLive(path), newest, earlier })
    if (choice === 'newest') return newest!
    if (choice === 'earlier') return earlier!
    if (closing.signal.aborted) throw new AppError('shutting-down')
    if (choice === 'nobody') throw new AppError('stream-not-live', { path })
    return startWorker(path)
  }

  function startWorker(path: string): HlsWorker {
    const failure = failures.get(path)
    if (failure && clock.now() - failure.at < PAUSE_AFTER_FAILURE_MS) throw unavailable(path, failure.sentence)
    if (workers.size >= maxWorkers) throw unavailable(path, `${maxWorkers} streams are being watched already.`)

    // Short, because a socket's address may have 107 characters; a folder of our own, so that nobody else gets in.
    folder ??= mkdtempSync(join(tmpdir(), 'aerie-hls-'))
    const worker = startHlsWorker({ ...deps, path, socketPath: join(folder, `${++started}.sock`) })
    const before = workers.get(path)
    if (before) {
      void overWorkers.get(path)?.stop()
      overWorkers.set(path, before)
    }
    workers.set(path, worker)
    void worker.ended.then(({ sentence, wasWatchable }) => {
      forget(path, worker)
      if (sentence === undefined) return
      log.warn({ path, reason: sentence }, 'HLS ended')
      if (wasWatchable) return
      failures.set(path, { at: clock.now(), sentence })
      if (failures.size > MAX_REMEMBERED_FAILURES) failures.delete(failures.keys().next().value!)
    })
    void stopWhenIdle(path, worker)
    return worker
  }

  function forget(path: string, worker: HlsWorker): void {
    for (const map of [workers, overWorkers]) if (map.get(path) === worker) map.delete(path)
  }

  function discard(path: string, worker: HlsWorker): void {
    forget(path, worker)
    void worker.stop()
  }

  /** A publisher that broke off is often back at once; after that, nobody is kept waiting. */
  async function untilBack(path: string, worker: HlsWorker, signal: AbortSignal): Promise<void> {
    const isLingering = () => workers.get(path) === worker && !closing.signal.aborted && !signal.aborted
    while (!livePaths.isLive(path) && isLingering()) await clock.sleep(LOOK_EVERY_MS, closing.signal)
    signal.throwIfAborted()
  }

  async function stopWhenIdle(path: string, worker: HlsWorker): Promise<void> {
    while (workers.get(path) === worker && !closing.signal.aborted) {
      const leftMs = worker.askedAt + idleMs - clock.now()
      if (leftMs <= 0 && worker.asking === 0) {
        workers.delete(path)
        log.info({ path }, 'nobody watches any more')
        return worker.stop()
      }
      await clock.sleep(Math.max(leftMs, 100), closing.signal)
    }
  }

  return {
    async answer(question) {
      const { path, file, search, signal } = question
      const ask = async () => {
        const { uriQuery } = await viewers.admit(question)
        const worker = workerFor(question)
        const answer = await worker.ask({ file, search, uriQuery, signal })
        if (!answer && worker.isOver) await untilBack(path, worker, signal)
        else if (!answer) discard(path, worker)
        return answer
      }
      // A worker that died, or whose stream is over, is found out by asking it; the next one starts at once.
      return (await ask()) ?? (await ask()) ?? Promise.reject(unavailable(path, 'It was interrupted.'))
    },
    viewers: (path) => viewers.count(path),
    async close() {
      closing.abort()
      await Promise.all([...workers.values(), ...overWorkers.values()].map((worker) => worker.stop()))
      if (folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

function unavailable(path: string, reason: string): AppError {
  return new AppError('stream-not-watchable', { path, reason }, { retryAfterSeconds: 1 })
}
