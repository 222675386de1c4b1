import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type LifeKind,
  type LifeRemains,
  type ProcessLife,
  startProcessLife,
} from '../../test/builders/process-life.ts'
import * as model from '../../test/builders/process-life-model.ts'
import { type LifeModel } from '../../test/builders/process-life-model.ts'
import { aScene } from '../../test/builders/process.ts'
import { type DatabaseMode } from '../../test/builders/unreliable-database.ts'
import { isLive } from '../core/process-facts.ts'
import { type PipelineReport } from '../pipeline/messages.ts'
import { type Process, type StopReason } from './process.ts'

/** How many lives are tried; CONTRIBUTING.md says when to try more. */
const RUNS = Number(process.env['AERIE_LIFE_RUNS'] ?? 300)
const MAX_STEPS = 80
/** For what hangs. */
const MAX_RUN_MS = 200

/** From the beginning of an end to its state, and to everything about it that is to be written and released. */
const MAX_END_MS = 20_000
const MAX_RELEASE_MS = 40_000
/** Of one that uses nothing meanwhile, until it notices that nothing is left. */
const MAX_WITHOUT_MINUTES_MS = 70_000
/** Ids that are written ahead of their use, at least. */
const MIN_RESERVED_IDS = 50

const running: PipelineReport = {
  type: 'running',
  video: { codec: 'h264', width: 2, height: 2, fps: null },
  startedAtMs: 77,
}

const kinds: readonly LifeKind[] = [
  { begins: 'now', sourceType: 'stream' },
  { begins: 'when-live', sourceType: 'stream' },
  { begins: 'each-time-live', sourceType: 'stream' },
  { begins: 'now', sourceType: 'file' },
]

type Step = fc.AsyncCommand<LifeModel, ProcessLife>

/** Something that happens in a life, and what should come of it. */
function step(
  name: string,
  isPossible: (life: LifeModel) => boolean,
  act: (life: LifeModel, real: ProcessLife) => void | Promise<void>,
): Step {
  return {
    check: isPossible,
    toString: () => name,
    async run(life, real) {
      await act(life, real)
      await real.settle()
      model.observe(life, real.process?.state)
      check(life, real)
    },
  }
}

const isStarting = (life: LifeModel) => model.goesOn(life) && life.worker === 'starting'
const isUp = (life: LifeModel) => model.goesOn(life) && life.worker === 'up'
const speaks = (life: LifeModel) => isUp(life) && !life.isHung
const isStream = ({ kind }: LifeModel) => kind.sourceType === 'stream'

function startWorker(life: LifeModel, real: ProcessLife): void {
  real.setHung(false)
  real.worker()!.start()
  expect(real.worker()!.order!.firstTrackId).toBeGreaterThan(life.highestId)
  model.onWorkerStarted(life)
}

function showPicture(life: LifeModel, real: ProcessLife): void {
  real.worker()!.report(running)
  model.onPicture(life)
}

const workerStarts = step('WorkerStarts', isStarting, startWorker)
/** The first, or the first after a loss. */
const picture = step('Picture', speaks, showPicture)
const comesUp = step('ComesUp', isStarting, (life, real) => {
  startWorker(life, real)
  showPicture(life, real)
})
const scene = (tracks: number) =>
  step(
    `Scene(${tracks})`,
    (life) => speaks(life) && model.isRunning(life),
    (life, real) => {
      const firstId = Math.max(life.highestId + 1, real.worker()!.order!.firstTrackId)
      const ids = Array.from({ length: tracks }, (_, index) => firstId + index)
      real.worker()!.report({ type: 'scene', scene: aScene({ ids }) })
      model.onTracks(life, ids)
    },
  )
const lost = step(
  'Lost',
  (life) => speaks(life) && life.hasStarted && isStream(life),
  (life, real) => {
    real.worker()!.report({ type: 'reconnecting', sentence: 'The stream has ended.' })
    model.onLost(life)
  },
)
const gone = (reason: 'source-lost' | 'source-unreadable') =>
  step(`Gone(${reason})`, speaks, (life, real) => {
    real.worker()!.report({ type: 'failed', reason, sentence: 'It is gone.' })
    model.onGone(life, reason)
  })
const finished = step(
  'Finished',
  (life) => speaks(life) && !isStream(life),
  (life, real) => {
    real.worker()!.report({ type: 'finished' })
    model.end(life, 'finished', 'source-ended')
  },
)
const crash = (verdict: 'restart' | 'give-up') =>
  step(verdict === 'restart' ? 'Crash' : 'GiveUp', isUp, (life, real) => {
    real.worker()!.crash(verdict)
    model.onCrash(life, verdict)
  })
const hang = step('Hang', speaks, (life, real) => {
  real.setHung(true)
  life.isHung = true
})
const lateSign = step(
  'LateSign',
  (life) => isUp(life) && life.isHung,
  (life, real) => {
    real.setHung(false)
    real.worker()!.report({ type: 'warning', sentence: 'It was slow.' })
    model.onSign(life)
  },
)
/** What a worker still sends while it leaves changes nothing. */
const lastWords = step(
  'LastWords',
  (life) => life.worker === 'leaving',
  (_life, real) => {
    const worker = real.worker()!
    const last = aScene({ ids: [worker.order!.firstTrackId] })
    for (const message of [running, { type: 'scene', scene: last }, { type: 'finished' }] as const)
      worker.report(message)
  },
)
const pause = (isPaused: boolean) =>
  step(isPaused ? 'Pause' : 'Resume', model.isHere, (life, real) => {
    real.service.supervisor.send(real.id, { type: isPaused ? 'pause' : 'resume' })
    model.setPaused(life, isPaused)
  })
const relaunch = step('Relaunch', model.isHere, (life, real) => {
  real.service.supervisor.relaunch(real.id)
  model.onRelaunch(life)
})
const video = (isThere: boolean) =>
  step(
    isThere ? 'VideoComes' : 'VideoGoes',
    (life) => isStream(life) && life.isVideoThere !== isThere,
    (life, real) => {
      real.setVideo(isThere)
      model.setVideo(life, isThere)
    },
  )
const minutesOut = step(
  'MinutesOut',
  (life) => life.emptySinceMs === null,
  (life, real) => {
    real.database.hasMinutes = false
    life.emptySinceMs = life.nowMs
  },
)
const database = (mode: DatabaseMode) =>
  step(
    `Database(${mode})`,
    (life) => life.database !== mode,
    (life, real) => {
      real.database.mode = mode
      model.setDatabase(life, mode)
    },
  )
const stop = (reason: StopReason) =>
  step(`Stop(${reason})`, model.isHere, (life, real) => {
    real.stop(reason)
    model.end(life, 'stopped', reason)
  })
const advance = (ticks: number) =>
  step(
    `Advance(${ticks})`,
    () => true,
    async (life, real) => {
      for (let passed = 0; passed < ticks; passed++) {
        await real.tick()
        model.onTick(life, real.process?.state)
      }
    },
  )
const wallClockSetBack = step(
  'WallClockSetBack',
  () => true,
  (_life, real) => real.setWallClockBack(3_600_000),
)
const restart = (how: 'close' | 'kill') =>
  step(
    `Restart(${how})`,
    () => true,
    async (life, real) => {
      const remains = await real.restart(how)
      checkRemains(life, remains, how)
      life.nowMs = real.nowMs
      model.onRecovered(life, remains.row)
    },
  )

const handOver = step(
  'HandOver',
  // Whoever waits for the first picture of one keeps it here.
  (life) => model.isHere(life) && (life.hasStarted || life.kind.begins !== 'now'),
  async (life, real) => {
    const remains = await real.handOver()
    life.nowMs = real.nowMs
    checkRemains(life, remains, 'hand-over')
    model.onRecovered(life, remains.row)
  },
)

/** Whatever happened, this holds. */
function check(life: LifeModel, real: ProcessLife): void {
  const { service, process } = real
  expect(process?.state).toBe(model.stateOf(life))
  expect(real.worker()?.phase ?? 'gone').toBe(life.worker)
  expect(real.seenIds).toHaveLength(life.seenTracks)
  checkStates(service.states, process?.state)
  const isReleased = !life.isLaunched || service.ends === 1
  expect(service.granted.size).toBe(isReleased ? 0 : isStream(life) ? 2 : 1)
  expect(service.holds).toBe(isReleased || life.kind.begins === 'now' ? 0 : 1)
  if (!process) return
  expect(process).toMatchObject({ restarts: life.restarts, consumedMs: model.consumedMs(life) })
  expect(process.startedAt !== null).toBe(life.hasStarted)
  if (life.hasStarted && (model.isStored(life) || life.nowMs > life.answerDueMs))
    expect(real.isStartAnswered).toBe(true)
  expect(real.database.chargedMs(real.id)).toBeLessThanOrEqual(model.ranMs(life))
  if (life.end) checkEnd(life, life.end, real)
  else checkGoingOn(life, real)
  if (model.isStored(life)) checkStored(life, real)
}

function checkStates(states: readonly Process['state'][], now: Process['state'] | undefined): void {
  for (const [index, state] of states.entries()) expect(state).not.toBe(states[index + 1])
  if (states.length > 0) expect(states.at(-1)).toBe(now)
  expect(states.filter((state) => !isLive(state)).length).toBeLessThanOrEqual(1)
}

function checkGoingOn(life: LifeModel, real: ProcessLife): void {
  expect(real.service.ends).toBe(0)
  expect(real.live!.isConnected).toBe(life.link === 'running')
  if (life.worker === 'up' && life.hasStarted) expect(real.worker()!.isPaused).toBe(life.isPaused)
  if (life.emptySinceMs === null || life.database !== 'there') return
  const noticedSinceMs = Math.max(life.emptySinceMs, life.thereSinceMs)
  expect(life.nowMs - noticedSinceMs).toBeLessThanOrEqual(MAX_WITHOUT_MINUTES_MS)
}

function checkEnd(life: LifeModel, { sinceMs, stopReason }: model.LifeEnd, real: ProcessLife): void {
  // Who was answered that it is stopped can rely on it, whatever happens to the service next.
  for (const row of real.confirmedStops) expect(isLive(row!.state)).toBe(false)
  expect(real.service.ends).toBeLessThanOrEqual(life.hasEnded ? 1 : 0)
  if (life.hasEnded) expect(real.process!.stopReason).toBe(stopReason)
  if (life.nowMs - sinceMs > MAX_END_MS) expect(life.hasEnded).toBe(true)
  if (life.nowMs - sinceMs <= MAX_RELEASE_MS || !life.isLaunched) return
  expect(real.service.ends).toBe(1)
  expect(real.pendingStops).toBe(0)
  expect(real.isStartAnswered).toBe(true)
}

/** The database was there for long enough to have everything. */
function checkStored(life: LifeModel, real: ProcessLife): void {
  const row = real.database.find(real.id)!
  expect(row).toMatchObject({ state: model.stateOf(life), restarts: life.restarts })
  expect(row.lastTrackId).toBeGreaterThanOrEqual(life.highestId + (isUp(life) ? MIN_RESERVED_IDS : 0))
  expect(real.database.chargedMs(real.id)).toBeGreaterThanOrEqual(model.minChargedMs(life))
  if (life.hasEnded) expect(real.live).toBeUndefined()
  life.written = { consumedMs: model.minChargedMs(life), lastTrackId: row.lastTrackId }
}

/**
 * What a service leaves for the next: one that is closed leaves everything as it is, one that is killed what was written for good, and
 * one that hands it over waits until everything is.
 */
function checkRemains(life: LifeModel, { row, chargedMs }: LifeRemains, how: 'close' | 'kill' | 'hand-over'): void {
  if (!row) return expect(life.isRemoved).toBe(true)
  expect(row.consumedMs).toBeGreaterThanOrEqual(life.written.consumedMs)
  expect(row.lastTrackId).toBeGreaterThanOrEqual(life.written.lastTrackId)
  const isOutage = life.database === 'away' || life.database === 'mute'
  if (how === 'kill' || (isOutage && how === 'close')) return
  expect(row).toMatchObject({ state: life.end?.state ?? model.stateOf(life), consumedMs: model.consumedMs(life) })
  // What an outage kept from the ledger goes there with what is used next.
  if (isOutage) return
  expect(chargedMs).toBeGreaterThanOrEqual(model.consumedMs(life))
}

/** What keeps a life going is frequent, so that most of them see much before they end. */
const steps = fc.oneof(
  { weight: 12, arbitrary: fc.constant(comesUp) },
  { weight: 4, arbitrary: fc.constant(workerStarts) },
  { weight: 6, arbitrary: fc.constant(picture) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }).map(scene) },
  { weight: 5, arbitrary: fc.constant(video(true)) },
  { weight: 2, arbitrary: fc.constant(video(false)) },
  { weight: 4, arbitrary: fc.constant(lost) },
  { weight: 2, arbitrary: fc.constant(gone('source-lost')) },
  { weight: 4, arbitrary: fc.constant(crash('restart')) },
  { weight: 2, arbitrary: fc.constant(relaunch) },
  { weight: 2, arbitrary: fc.constant(hang) },
  { weight: 2, arbitrary: fc.constant(lateSign) },
  { weight: 3, arbitrary: fc.constant(lastWords) },
  { weight: 6, arbitrary: fc.boolean().map(pause) },
  { weight: 2, arbitrary: fc.constantFrom<StopReason>('requested', 'key-revoked').map(stop) },
  { weight: 1, arbitrary: fc.constantFrom(gone('source-unreadable'), crash('give-up'), finished) },
  { weight: 1, arbitrary: fc.constant(minutesOut) },
  { weight: 8, arbitrary: fc.constantFrom<DatabaseMode>('there', 'there', 'slow', 'away', 'mute').map(database) },
  { weight: 10, arbitrary: fc.integer({ min: 1, max: 6 }).map(advance) },
  { weight: 3, arbitrary: fc.integer({ min: 7, max: 70 }).map(advance) },
  { weight: 1, arbitrary: fc.constant(wallClockSetBack) },
  { weight: 4, arbitrary: fc.constantFrom<'close' | 'kill'>('close', 'kill').map(restart) },
  { weight: 3, arbitrary: fc.constant(handOver) },
)

async function begin(kind: LifeKind): Promise<{ life: LifeModel; real: ProcessLife }> {
  const real = await startProcessLife(kind)
  return { real, life: model.createLifeModel(kind, real.nowMs) }
}

/** Every life comes to its end, so that what was never written or released is noticed; without minutes it does so by itself. */
async function endLife(life: LifeModel, real: ProcessLife): Promise<void> {
  const ends = life.emptySinceMs === null ? stop('requested') : advance(75)
  for (const last of [database('there'), advance(20), ends, advance(45)])
    if (last.check(life)) await last.run(life, real)
  expect(model.isHere(life)).toBe(false)
}

const [stream, whenLive, eachTimeLive] = kinds as [LifeKind, LifeKind, LifeKind]

// What was found by the property below, and mended.
test.each<readonly [string, LifeKind, readonly Step[]]>([
  [
    'a start that was paused before its first picture leaves nothing when the service restarts',
    stream,
    [pause(true), restart('close')],
  ],
  [
    'ids that were given before a kill are not given again, even if nothing could be written since the worker started',
    whenLive,
    [video(true), workerStarts, database('away'), picture, scene(50), restart('kill'), comesUp],
  ],
  [
    'what was used last is charged, although the service is killed during the stop',
    stream,
    [comesUp, advance(4), stop('requested'), restart('kill')],
  ],
  [
    'a stop in an outage is written by a service that closes after it',
    stream,
    [comesUp, database('away'), stop('requested'), advance(19), database('there'), restart('close')],
  ],
  ['the reason of a stop is known after a kill', stream, [comesUp, stop('key-revoked'), restart('kill')]],
  [
    'one that is launched anew waits for its turn as long as it takes',
    eachTimeLive,
    [video(true), comesUp, gone('source-lost'), advance(9), workerStarts, advance(29), relaunch, advance(9)],
  ],
])('%s', async (_name, kind, happens) => {
  const { life, real } = await begin(kind)
  for (const one of happens) {
    expect(one.check(life)).toBe(true)
    await one.run(life, real)
  }
  await endLife(life, real)
})

test(
  'whatever happens to a process, in whatever order, its state, minutes, ids and worker are what they should be',
  async () => {
    const lives = fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.commands([steps], { maxCommands: MAX_STEPS, size: 'max' }),
      async (kind, commands) => {
        const { life, real } = await begin(kind)
        await fc.asyncModelRun(() => ({ model: life, real }), commands)
        await endLife(life, real)
      },
    )
    await fc.assert(lives, { numRuns: RUNS })
  },
  RUNS * MAX_RUN_MS,
)
