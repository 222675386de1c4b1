import { setMaxListeners } from 'node:events'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createStartPace } from '../supervise/start-pace.ts'
import { chooseRun, isBack } from './hls-choice.ts'
import { createHlsFailures, HlsFailure } from './hls-failures.ts'
import { type AdmittedViewer, createHlsViewers, type WatchRequest } from './hls-viewers.ts'
import { type HlsAnswer, type HlsWorker } from './hls-worker.ts'
import { type WatchAccess } from './watch-access.ts'

export interface HlsDeps {
  readonly access: WatchAccess
  readonly owners: { find(username: string): Promise<Account | undefined> }
  readonly streams: Pick<Streams, 'canBeRead'> & { readonly livePaths: Pick<Streams['livePaths'], 'isLive'> }
  readonly startWorker: (path: string) => HlsWorker
  readonly signer: LinkSigner
  /** This node, where the service has several: each makes playlists of its own, so what belongs to one comes from where that does. */
  readonly nodeId?: string | undefined
  readonly clock: Clock
  readonly log: Log
  /** A path that no player has requested for so long is no longer made. */
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
  close(): Promise<void>
}

const IDLE_MS = 30_000
/** Those whose streams are over don't count: they are gone in seconds. */
const MAX_WORKERS = 64
const LOOK_EVERY_MS = 50

const INTERRUPTED = new HlsFailure('It was interrupted.')

export function createHls(deps: HlsDeps): Hls {
  const { streams, nodeId, clock, log, idleMs = IDLE_MS, maxWorkers = MAX_WORKERS } = deps
  const viewers = createHlsViewers(deps)
  /** By path; where a stream broke off just now, the run before the newest is still there. */
  const runs = new Map<string, readonly HlsWorker[]>()
  const failures = createHlsFailures(() => clock.steady())
  const stops = new Set<Promise<void>>()
  const pace = createStartPace(() => clock.steady())
  const closing = new AbortController()
  // Every worker and every waiting player sleeps on it, which is no leak (and Node would warn from the eleventh on).
  setMaxListeners(0, closing.signal)

  const runsOf = (path: string) => runs.get(path) ?? []

  async function workerFor(question: HlsQuestion): Promise<HlsWorker> {
    const worker = choose(question)
    if (worker) return worker
    const owner = await deps.owners.find(ownerOfPath(question.path))
    if (!owner) throw new AppError('stream-not-live', { path: question.path })
    // Meanwhile another request may have started it.
    return choose(question) ?? startWorker(question.path, owner)
  }

  /** Undefined when another has to be started. */
  function choose({ path, file, isFirst }: HlsQuestion): HlsWorker | undefined {
    const choice = chooseRun({ file, isFirst, isLive: streams.canBeRead(path), runs: runsOf(path) })
    if (choice === 'not-live') throw new AppError('stream-not-live', { path })
    return choice === 'start' ? undefined : choice
  }

  function startWorker(path: string, { username, limits }: Account): HlsWorker {
    if (closing.signal.aborted) throw new AppError('shutting-down')
    const last = failures.find(path)
    if (last?.isRecent) throw last.failure
    const running = [...runs].filter(([other, workers]) => other !== path && workers.some(({ isOver }) => !isOver))
    if (running.length >= maxWorkers) throw new HlsFailure(`${maxWorkers} streams are being watched already.`)
    if (running.filter(([other]) => ownerOfPath(other) === username).length >= limits.maxHlsStreams)
      throw new AppError('hls-stream-limit-reached', { username, limit: limits.maxHlsStreams })
    const waitMs = pace.take(path)
    if (waitMs > 0)
      throw (last?.failure ?? new HlsFailure('It begins again and again.')).after(Math.ceil(waitMs / 1000))

    const worker = deps.startWorker(path)
    for (const old of runsOf(path).slice(0, -1)) void discard(path, old)
    runs.set(path, [...runsOf(path), worker])
    void worker.ended.then(({ failure, wasWatchable }) => {
      forget(path, worker)
      if (failure === undefined) return
      log.warn({ path, reason: failure.message }, 'HLS ended')
      if (!wasWatchable) failures.add(path, failure)
    })
    void stopWhenIdle(path, worker)
    return worker
  }

  function forget(path: string, worker: HlsWorker): void {
    const left = runsOf(path).filter((other) => other !== worker)
    if (left.length > 0) runs.set(path, left)
    else runs.delete(path)
  }

  async function discard(path: string, worker: HlsWorker): Promise<void> {
    forget(path, worker)
    const stopped = worker.stop()
    stops.add(stopped)
    await stopped.finally(() => stops.delete(stopped))
  }

  async function stopWhenIdle(path: string, worker: HlsWorker): Promise<void> {
    while (runsOf(path).includes(worker) && !closing.signal.aborted) {
      const leftMs = worker.askedAt + idleMs - clock.steady()
      if (leftMs <= 0 && worker.asking === 0) {
        log.info({ path }, 'nobody watches any more')
        return discard(path, worker)
      }
      await clock.sleep(Math.max(leftMs, 100), closing.signal)
    }
  }

  /** A publisher that broke off is often back at once: waited for as long as its last seconds can be had. */
  async function untilBack(path: string, worker: HlsWorker, signal: AbortSignal): Promise<void> {
    const isLingering = () => runsOf(path).at(-1) === worker && !closing.signal.aborted && !signal.aborted
    const overSince = clock.steady()
    let wasGone = false
    while (isLingering()) {
      const isLive = streams.livePaths.isLive(path)
      wasGone ||= !isLive
      if (isBack({ isLive, wasGone, waitedMs: clock.steady() - overSince })) break
      await clock.sleep(LOOK_EVERY_MS, closing.signal)
    }
    signal.throwIfAborted()
  }

  return {
    async answer(question) {
      const { path, file, search, signal } = question
      // An `HlsFailure` comes only after the viewer was admitted.
      let viewer!: AdmittedViewer
      const ask = async () => {
        // Each time: between the two the right may have been taken away.
        viewer = await viewers.admit(question)
        const worker = await workerFor(question)
        const answer = await worker.ask({ file, search, uriQuery: atNode(viewer.uriQuery, nodeId), signal })
        if (!answer && worker.isOver) await untilBack(path, worker, signal)
        else if (!answer) void discard(path, worker)
        return answer
      }
      // A worker that died, or whose stream is over, is found out by asking it; then another is asked.
      const askTwice = async () => (await ask()) ?? (await ask()) ?? Promise.reject(INTERRUPTED)
      return askTwice().catch((error: unknown) => {
        throw error instanceof HlsFailure ? error.toRefusal(path, viewer) : error
      })
    },
    async close() {
      closing.abort()
      for (const [path, workers] of runs) for (const worker of workers) void discard(path, worker)
      await Promise.all(stops)
    },
  }
}

function atNode(uriQuery: string, nodeId: string | undefined): string {
  return [uriQuery, nodeId === undefined ? '' : `node=${nodeId}`].filter(Boolean).join('&')
}
