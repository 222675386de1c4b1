import { type EndState, isLive, type ProcessState } from '../../src/core/process-facts.ts'
import { type Process, type StopReason } from '../../src/processes/process.ts'
import { type ProcessCondition } from '../../src/processes/process-status.ts'
import { type LifeKind, TICK_MS } from './process-life.ts'
import { type DatabaseMode } from './unreliable-database.ts'
import { LEAVE_MS, type WorkerPhase } from './worker-instances.ts'

/** How a process should be: what the documents say of its states, its minutes and its ids, in as few words as they allow. */
export interface LifeModel {
  readonly kind: LifeKind
  nowMs: number

  link: ProcessCondition['link']
  isPaused: boolean
  /** Its first picture was there. */
  hasStarted: boolean
  /** When whoever asked for the start has an answer at the latest: in an outage it waits for what is to be written. */
  answerDueMs: number
  restarts: number
  highestId: number
  /** How many tracks clients saw. */
  seenTracks: number
  /** The end that has begun; the first one counts. */
  end: LifeEnd | null
  /** Its state says so. */
  hasEnded: boolean
  /** A start that came to nothing leaves nothing. */
  isRemoved: boolean

  worker: WorkerPhase
  isHung: boolean
  /** When a worker that is leaving is gone. */
  goneAtMs: number
  /** When one that lost its video begins to look for the next; null while it does not rest. */
  restUntilMs: number | null
  /** Until when it has to have a picture; null when it has, or when its worker is not there. */
  pictureDueMs: number | null
  /** How often it had none in time. */
  lateStarts: number
  /** Its worker was started for video that came, and not for a process that was taken up again. */
  isWoken: boolean
  /** Since the video came. */
  hasPicture: boolean

  isVideoThere: boolean

  /** Of this service and what was written by those before it: what the process shows. */
  countedMs: number
  /** Running time since the last sign of life of a worker that hangs. */
  silentMs: number
  /** All running time, whether or not it was written before a kill. */
  ranMs: number

  /** What it had consumed at the last few ticks, oldest first. */
  recentMs: readonly number[]

  database: DatabaseMode
  /** Since when the database is there again. */
  thereSinceMs: number
  /** What no kill can take back any more. */
  written: { readonly consumedMs: number; readonly lastTrackId: number }
  /** The service of now runs it, or ran it to its end. */
  isLaunched: boolean
  /** Since when there are no minutes; null while there are. */
  emptySinceMs: number | null
}

export interface LifeEnd {
  readonly state: EndState
  readonly stopReason: StopReason
  readonly sinceMs: number
  /** The state until it has ended. */
  readonly until: ProcessState
}

const START_TIMEOUT_MS = 30_000
const MAX_PICTURE_TIMEOUT_MS = 480_000
const REST_MS = 5_000
/** A worker that is silent is counted as running for so long. */
const MAX_SIGN_GAP_MS = 2_000

const MAX_ANSWER_MS = 20_000

/** After a failure it is tried again within five seconds; one write may follow another, and be slow. */
const STORED_AFTER_MS = 15_000
/** A kill loses what ran in the ten seconds before it, at most: while a worker leaves nothing is charged. */
const CHARGED_AFTER_TICKS = 10

const recentlyAll = (ms: number) => Array.from({ length: CHARGED_AFTER_TICKS }, () => ms)

export function createLifeModel(kind: LifeKind, nowMs: number): LifeModel {
  const waits = kind.begins !== 'now'
  return {
    kind,
    nowMs,
    link: waits ? 'waiting' : 'starting',
    isPaused: false,
    hasStarted: false,
    answerDueMs: Infinity,
    restarts: 0,
    highestId: 0,
    seenTracks: 0,
    end: null,
    hasEnded: false,
    isRemoved: false,
    worker: waits ? 'gone' : 'starting',
    isHung: false,
    goneAtMs: -Infinity,
    restUntilMs: null,
    pictureDueMs: null,
    lateStarts: 0,
    isWoken: false,
    hasPicture: false,
    isVideoThere: false,
    countedMs: 0,
    silentMs: 0,
    ranMs: 0,
    recentMs: recentlyAll(0),
    database: 'there',
    thereSinceMs: -Infinity,
    written: { consumedMs: 0, lastTrackId: 0 },
    isLaunched: true,
    emptySinceMs: null,
  }
}

/** Whether it has not begun to end. */
export function goesOn(life: LifeModel): boolean {
  return life.end === null && !life.isRemoved
}

/** Whether it is there to be asked for something. */
export function isHere(life: LifeModel): boolean {
  return !life.hasEnded && !life.isRemoved
}

export function stateOf(life: LifeModel): ProcessState | undefined {
  if (life.isRemoved) return undefined
  if (life.end) return life.hasEnded ? life.end.state : life.end.until
  return life.isPaused ? 'paused' : life.link
}

export function isRunning(life: LifeModel): boolean {
  return goesOn(life) && life.link === 'running' && !life.isPaused
}

export function consumedMs(life: LifeModel): number {
  return life.countedMs + Math.min(life.silentMs, MAX_SIGN_GAP_MS)
}

/** All of its running time so far. */
export function ranMs(life: LifeModel): number {
  return life.ranMs + Math.min(life.silentMs, MAX_SIGN_GAP_MS)
}

/** Whether the database was there for long enough to have everything. */
export function isStored({ database, nowMs, thereSinceMs }: LifeModel): boolean {
  return database === 'there' && nowMs - thereSinceMs >= STORED_AFTER_MS
}

/** What was used long enough ago to be in the ledger of a database that is there. */
export function minChargedMs(life: LifeModel): number {
  const isDue = life.hasEnded || (goesOn(life) && !isRunning(life))
  return isDue ? consumedMs(life) : life.recentMs[0]!
}

/** Whether it waits, without a worker, when its video is gone. */
function waitsForVideo({ kind: { begins }, hasStarted }: LifeModel): boolean {
  return begins === 'each-time-live' || (begins === 'when-live' && !hasStarted)
}

/** Changes how it is; what ran until now is counted as it was. */
function change(life: LifeModel, changes: Partial<Pick<LifeModel, 'link' | 'isPaused'>>): void {
  const wasRunning = isRunning(life)
  Object.assign(life, changes)
  if (wasRunning && !isRunning(life)) stopCounting(life)
}

function stopCounting(life: LifeModel): void {
  count(life, Math.min(life.silentMs, MAX_SIGN_GAP_MS))
}

function count(life: LifeModel, ms: number): void {
  life.countedMs += ms
  life.ranMs += ms
  life.silentMs = 0
}

export function end(life: LifeModel, state: EndState, stopReason: StopReason): void {
  if (!goesOn(life)) return
  const until = state === 'stopped' ? 'stopping' : stateOf(life)!
  stopCounting(life)
  life.end = { state, stopReason, sinceMs: life.nowMs, until }
  dismissWorker(life)
}

function dismissWorker(life: LifeModel): void {
  if (life.worker === 'up') {
    life.worker = 'leaving'
    life.goneAtMs = life.nowMs + LEAVE_MS
  } else if (life.worker === 'starting') life.worker = 'gone'
  life.isHung = false
  life.pictureDueMs = null
}

/** It waits for its next video, but not before it has rested. */
function rest(life: LifeModel): void {
  dismissWorker(life)
  change(life, { link: 'waiting' })
  life.restUntilMs = (life.worker === 'leaving' ? life.goneAtMs : life.nowMs) + REST_MS
}

function wake(life: LifeModel): void {
  if (life.link !== 'waiting' || life.restUntilMs !== null) return
  change(life, { link: 'starting' })
  life.worker = 'starting'
  life.isWoken = true
  life.hasPicture = false
}

export function onWorkerStarted(life: LifeModel): void {
  life.worker = 'up'
  if (life.kind.begins === 'now' && !life.hasStarted) life.pictureDueMs = life.nowMs + START_TIMEOUT_MS
  if (life.isWoken && !life.hasPicture)
    life.pictureDueMs = life.nowMs + Math.min(MAX_PICTURE_TIMEOUT_MS, START_TIMEOUT_MS * 2 ** life.lateStarts)
}

export function onPicture(life: LifeModel): void {
  if (!life.hasStarted) life.answerDueMs = life.nowMs + MAX_ANSWER_MS
  life.hasStarted = true
  life.hasPicture = true
  life.lateStarts = 0
  life.pictureDueMs = null
  change(life, { link: 'running' })
}

export function onTracks(life: LifeModel, ids: readonly number[]): void {
  life.highestId = ids.at(-1)!
  life.seenTracks += ids.length
}

export function onLost(life: LifeModel): void {
  change(life, { link: 'reconnecting' })
}

export function onGone(life: LifeModel, reason: 'source-lost' | 'source-unreadable'): void {
  if (reason === 'source-lost' && waitsForVideo(life)) rest(life)
  else end(life, 'failed', reason)
}

export function onCrash(life: LifeModel, verdict: 'restart' | 'give-up'): void {
  life.worker = verdict === 'restart' ? 'starting' : 'gone'
  const isHopeless = verdict === 'give-up' || (!life.hasStarted && !waitsForVideo(life))
  if (isHopeless) return end(life, 'failed', 'pipeline-crashed')
  life.restarts += 1
  startAnew(life)
}

export function onRelaunch(life: LifeModel): void {
  if (!goesOn(life) || !life.hasStarted || life.link === 'waiting') return
  if (life.worker === 'up') life.worker = 'starting'
  startAnew(life)
}

function startAnew(life: LifeModel): void {
  change(life, { link: 'reconnecting' })
  life.isHung = false
  // The next worker has all of its time.
  if (life.worker === 'starting') life.pictureDueMs = null
}

export function onSign(life: LifeModel): void {
  life.isHung = false
  count(life, life.silentMs)
}

export function setPaused(life: LifeModel, isPaused: boolean): void {
  if (goesOn(life)) change(life, { isPaused })
}

export function setVideo(life: LifeModel, isThere: boolean): void {
  life.isVideoThere = isThere
  if (isThere && goesOn(life)) wake(life)
}

export function setDatabase(life: LifeModel, mode: DatabaseMode): void {
  life.database = mode
  if (mode === 'there') life.thereSinceMs = life.nowMs
}

/** One tick of time. `state` is what the process shows after it, since only it knows when it notices that no minutes are left. */
export function onTick(life: LifeModel, state: ProcessState | undefined): void {
  life.nowMs += TICK_MS
  if (isRunning(life)) {
    if (life.isHung) life.silentMs += TICK_MS
    else count(life, TICK_MS)
  }
  if (life.worker === 'leaving' && life.nowMs >= life.goneAtMs) life.worker = 'gone'
  life.recentMs = [...life.recentMs, consumedMs(life)].slice(-CHARGED_AFTER_TICKS)
  observe(life, state)
  if (!goesOn(life)) return
  if (life.pictureDueMs !== null && life.nowMs >= life.pictureDueMs) onNoPicture(life)
  if (life.restUntilMs !== null && life.nowMs >= life.restUntilMs) {
    life.restUntilMs = null
    if (life.isVideoThere) wake(life)
  }
}

function onNoPicture(life: LifeModel): void {
  if (life.kind.begins === 'now') return end(life, 'failed', 'source-unreadable')
  if (life.isVideoThere) life.lateStarts += 1
  rest(life)
}

/** Takes over what only the process can know: that it noticed the end of its minutes, and that its end is complete. */
export function observe(life: LifeModel, state: ProcessState | undefined): void {
  if (life.emptySinceMs !== null && (state === 'stopping' || state === 'stopped')) end(life, 'stopped', 'usage-limit')
  if (life.end && life.worker === 'gone' && state === life.end.state) life.hasEnded = true
}

/** What a service makes of what the one before it had written. */
export function onRecovered(life: LifeModel, row: Process | undefined): void {
  Object.assign(life, { isLaunched: false, worker: 'gone', isHung: false, database: 'there', thereSinceMs: -Infinity })
  stopCounting(life)
  if (!row || (life.kind.begins === 'now' && row.startedAt === null && isLive(row.state) && row.state !== 'stopping')) {
    life.isRemoved = true
    return
  }
  Object.assign(life, {
    hasStarted: row.startedAt !== null,
    restarts: row.restarts,
    countedMs: row.consumedMs,
    // Those that were used while they could not be written ahead are given again.
    highestId: Math.min(life.highestId, row.lastTrackId),
    recentMs: recentlyAll(row.consumedMs),
  })
  if (!isLive(row.state)) life.hasEnded = true
  else if (row.state === 'stopping') endAtOnce(life, 'stopped', life.end!.stopReason)
  else if (life.kind.sourceType === 'file') endAtOnce(life, 'failed', 'service-restart')
  else takeUp(life, row)
}

/** Without a worker, and without anybody who waits for it. */
function endAtOnce(life: LifeModel, state: EndState, stopReason: StopReason): void {
  life.end = { state, stopReason, sinceMs: life.nowMs, until: state }
  life.hasEnded = true
}

function takeUp(life: LifeModel, { state, startedAt }: Process): void {
  const waits = state === 'waiting' || startedAt === null
  Object.assign(life, {
    end: null,
    hasEnded: false,
    isLaunched: true,
    link: waits ? 'waiting' : 'reconnecting',
    isPaused: state === 'paused',
    worker: waits ? 'gone' : 'starting',
    restUntilMs: null,
    pictureDueMs: null,
    lateStarts: 0,
    isWoken: false,
    hasPicture: false,
  })
  if (life.isVideoThere) wake(life)
}
