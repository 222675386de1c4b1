import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { type Readable } from 'node:stream'
import { type Clock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { MAX_REMUX_WORKER_BYTES } from '../core/worker-memory.ts'
import { type FromHls, type ToHls } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type ChildOptions, startChild } from '../supervise/child.ts'
import { neverRestart } from '../supervise/restart-policy.ts'
import { type StartSlots } from '../supervise/start-slots.ts'
import { type HlsRun } from './hls-choice.ts'
import { HlsFailure } from './hls-failures.ts'
import { type RunFolder } from './run-folder.ts'

export interface HlsAnswer {
  readonly type: string
  readonly cacheControl: string
  readonly sizeBytes: number
  readonly body: Readable
}

/** The process that makes one path's HLS, seen from the main one. */
export interface HlsWorker extends HlsRun {
  /**
   * Undefined when the worker died before it answered, or what was asked for will never come since its stream is over. Rejects with an
   * `HlsFailure` when there will be no playlists.
   */
  ask(question: WorkerQuestion): Promise<HlsAnswer | undefined>
  /** By the steady clock. */
  readonly askedAt: number
  /** Requests under way. */
  readonly asking: number
  /** With a failure when something went wrong; `wasWatchable` when there were playlists before. */
  readonly ended: Promise<{ readonly failure: HlsFailure | undefined; readonly wasWatchable: boolean }>
  stop(): Promise<void>
}

export interface WorkerQuestion {
  readonly file: string
  readonly search: string
  /** What addresses in playlists are to carry. */
  readonly uriQuery: string
  readonly signal: AbortSignal
}

export interface HlsWorkerOptions {
  readonly path: string
  /** For its socket, and removed with it. */
  readonly folder: RunFolder
  readonly streams: Pick<Streams, 'grant' | 'cameraFault'>
  readonly clock: Clock
  readonly log: Log
  readonly startSlots?: StartSlots
}

const entry = new URL('../media/hls/worker.js', import.meta.url)
/** Until it may start: a player that waits longer has often given up. */
const TURN_MS = 20_000
const NO_TURN = new HlsFailure('Too many streams are being started.', { retryAfterSeconds: 5 })
/** From its start until the first whole segment is there. */
const START_MS = 20_000
const NO_SEGMENT = new HlsFailure('No whole segment came in time; is there a keyframe every few seconds?')
/** Longer than the worker lets a player wait. */
const ANSWER_MS = 20_000
const MAX_SOCKETS = 512

/** Two numbers a second are more than segments ever come, so a later worker always begins with a larger one. */
const SEQUENCE_EPOCH_MS = Date.UTC(2026, 0, 1)
const MS_PER_SEQUENCE = 500

export function startHlsWorker(options: HlsWorkerOptions): HlsWorker {
  const { path, folder, streams, clock, log } = options
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS })
  const grant = streams.grant('read', path, { isForViewers: true })
  const firstSequence = Math.max(0, Math.floor((clock.now() - SEQUENCE_EPOCH_MS) / MS_PER_SEQUENCE))
  const listening = createDeferred()
  // Nobody need be waiting when it rejects.
  listening.promise.catch(() => {})
  const ended = createDeferred<Awaited<HlsWorker['ended']>>()
  let askedAt = clock.steady()
  let asking = 0
  let isWatchable = false
  let isOver = false
  let deadline = setTimeout(() => giveUp(NO_TURN), TURN_MS)

  const childOptions: ChildOptions<ToHls, FromHls> = {
    name: 'hls',
    subject: path,
    isForOne: true,
    startTurn: { when: 'soon', owner: ownerOfPath(path) },
    entry,
    clock,
    log,
    restart: neverRestart,
    maxMemoryBytes: MAX_REMUX_WORKER_BYTES,
    onStart(send) {
      clearTimeout(deadline)
      deadline = setTimeout(() => giveUp(NO_SEGMENT), START_MS)
      send({ url: grant.url, socketPath: folder.socketPath, firstSequence })
    },
    onMessage(message) {
      if (message.type === 'listening') {
        isWatchable = true
        return listening.resolve()
      }
      if (message.type === 'over') return void (isOver = true)
      if (message.ffmpegMessage !== undefined)
        log.info({ path, ffmpeg: message.ffmpegMessage }, 'a stream could not be made HLS of')
      finish(failureOf(message.sentence, streams.cameraFault(path)))
      void child.stop()
    },
    onExit: (_exit, verdict) =>
      finish(verdict === 'stopped' ? undefined : new HlsFailure('Its process ended unexpectedly.')),
  }
  const child = startChild(childOptions, options.startSlots)

  function giveUp(failure: HlsFailure): void {
    finish(failure)
    void child.stop()
  }
  void listening.promise.then(
    () => clearTimeout(deadline),
    () => clearTimeout(deadline),
  )

  function finish(failure: HlsFailure | undefined): void {
    listening.reject(failure ?? new HlsFailure('It has just ended.'))
    ended.resolve({ failure, wasWatchable: isWatchable })
    agent.destroy()
    grant.revoke()
    folder.remove()
  }

  async function answerOf({ file, search, uriQuery, signal }: WorkerQuestion): Promise<HlsAnswer | undefined> {
    await listening.promise
    const response = await get({
      agent,
      socketPath: folder.socketPath,
      path: `/${file}${search}`,
      headers: { 'x-uri-query': uriQuery },
      timeout: ANSWER_MS,
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      return undefined
    })
    if (!response) return undefined
    if (response.statusCode === 200) return toAnswer(response)
    response.resume()
    if (response.statusCode === 410) {
      isOver = true
      return undefined
    }
    throw refusalOf(response.statusCode, path)
  }

  return {
    firstSequence,
    get isOver() {
      return isOver
    },
    async ask(question) {
      askedAt = clock.steady()
      asking += 1
      try {
        return await answerOf(question)
      } finally {
        asking -= 1
        askedAt = clock.steady()
      }
    },
    get askedAt() {
      return askedAt
    },
    get asking() {
      return asking
    },
    ended: ended.promise,
    async stop() {
      await child.stop()
      finish(undefined)
    },
  }
}

/** What the worker sees of a camera that is not there is a stream that does not begin. */
function failureOf(sentence: string | undefined, cameraFault: string | undefined): HlsFailure | undefined {
  if (sentence === undefined) return undefined
  return cameraFault === undefined ? new HlsFailure(sentence) : new HlsFailure(cameraFault, { isOfCamera: true })
}

function get(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(options, resolve)
    asked.on('error', reject)
    asked.on('timeout', () => asked.destroy(new Error('The worker did not answer.')))
    asked.end()
  })
}

function toAnswer(response: IncomingMessage): HlsAnswer {
  return {
    type: String(response.headers['content-type']),
    cacheControl: String(response.headers['cache-control']),
    sizeBytes: Number(response.headers['content-length']),
    body: response,
  }
}

function refusalOf(status: number | undefined, path: string): AppError | HlsFailure {
  switch (status) {
    case 400:
      return new AppError('request-malformed', { reason: '_HLS_msn and _HLS_part must name a piece that comes next.' })
    case 404:
      return new AppError('segment-not-found', { path })
    default:
      return new HlsFailure('Nothing new has come for a while.')
  }
}
