import { type LiveProcess } from '../../src/processes/live-process.ts'
import { type Process, type StopReason } from '../../src/processes/process.ts'
import { createFakeClock } from './fake-clock.ts'
import { createMortalService } from './mortal-service.ts'
import { aProcess, aStats, cameraSource } from './process.ts'
import { createUnreliableDatabase } from './unreliable-database.ts'
import { createWorkerInstances, type WorkerInstance } from './worker-instances.ts'

/** What is started: a file or a stream, at once or when its video comes. */
export interface LifeKind {
  readonly begins: Process['options']['begins']
  readonly sourceType: Process['sourceType']
}

/** What a service that is gone leaves in the database. */
export interface LifeRemains {
  readonly row: Process | undefined
  readonly chargedMs: number
}

/** Time passes in steps of this: a worker that is well sends its figures as often. */
export const TICK_MS = 1_000

/** A hand-over waits for a database that is away, however long. */
const OUTAGE_TICKS = 20

/** Longer than any wait for a database that is away: a service that is not closed by then never will be. */
const MAX_CLOSE_TICKS = 60

const PATH = 'ann/cam'

export type ProcessLife = Awaited<ReturnType<typeof startProcessLife>>

/**
 * The life of one process in the real supervisor, over restarts of the service, with everything that a test can do to it: a worker, a
 * source, a database, and time.
 */
export async function startProcessLife({ begins, sourceType }: LifeKind) {
  const clock = createFakeClock()
  const database = createUnreliableDatabase(clock)
  const workers = createWorkerInstances(clock)
  const options = { ...aProcess().options, begins }
  const initial = aProcess({ sourceType, options, state: begins === 'now' ? 'starting' : 'waiting' })
  const { id } = initial
  /** Of tracks, as clients saw them, one after the other. */
  const seenIds: number[] = []
  let isVideoThere = false
  let isHung = false
  let service = createService()
  database.insert(initial)
  let isStartAnswered = false
  void (await service.launch(initial)).started.then(onStartAnswered, onStartAnswered)
  /** What was written of it when its user was answered that it is stopped. */
  const confirmedStops: (Process | undefined)[] = []
  let pendingStops = 0

  function onStartAnswered(): void {
    isStartAnswered = true
  }

  function createService() {
    return createMortalService({
      connection: database.connect(),
      clock,
      launchWorker: workers.launch,
      source: { ...cameraSource, type: sourceType },
      path: PATH,
      isVideoThere: () => isVideoThere,
      onTrackIds: (ids) => seenIds.push(...ids),
    })
  }

  function worker(): WorkerInstance | undefined {
    const [first, second] = workers.listPresent()
    if (second) throw new Error('The process has two workers.')
    return first
  }

  async function tick(): Promise<void> {
    await clock.advance(TICK_MS)
    const present = worker()
    if (present?.phase === 'up' && !isHung) present.report({ type: 'stats', stats: aStats() })
  }

  /** Lets time pass until something is done that leaves no worker. */
  async function untilDone(work: Promise<void>, onTick = (_ticks: number) => {}): Promise<void> {
    let isDone = false
    void work.then(() => (isDone = true))
    await clock.advance(0)
    for (let ticks = 0; !isDone; ticks++) {
      if (ticks === MAX_CLOSE_TICKS) throw new Error('The service does not come to an end with it.')
      onTick(ticks)
      await tick()
    }
    if (worker()) throw new Error('The service has left a worker behind.')
  }

  return {
    id,
    database,
    seenIds,
    confirmedStops,
    get pendingStops() {
      return pendingStops
    },
    /** Nobody waits for the answer to `/start` any more. */
    get isStartAnswered() {
      return isStartAnswered
    },
    get nowMs() {
      return clock.steady()
    },
    get service() {
      return service
    },
    /** Undefined once its end is written. */
    get live(): LiveProcess | undefined {
      return service.supervisor.findLive(id)
    },
    /** As anybody who asks sees it; undefined when nothing is left of it. */
    get process(): Process | undefined {
      return service.supervisor.findLive(id)?.process ?? database.find(id)
    },
    worker,
    /** One that hangs sends nothing, and the next one hangs no longer. */
    setHung: (value: boolean) => void (isHung = value),
    setVideo(isThere: boolean) {
      isVideoThere = isThere
      if (isThere) service.supervisor.pathIsLive(PATH)
    },
    stop(reason: StopReason): void {
      pendingStops += 1
      const stopping = service
      void service.supervisor
        .findLive(id)
        ?.stop(reason)
        .then(
          () => void confirmedStops.push(database.find(id)),
          () => {},
        )
        .then(() => void (stopping === service && pendingStops--))
    },
    setWallClockBack: (ms: number) => clock.setBack(ms),
    tick,
    /** Lets everything happen that need not wait for time to pass. */
    settle: () => clock.advance(0),
    /** The service closes, or is killed, and another one starts, once the database is there. Answers what that one found. */
    async restart(how: 'close' | 'kill'): Promise<LifeRemains> {
      if (how === 'close') await untilDone(service.supervisor.close())
      service.die()
      worker()?.vanish()
      isHung = false
      isStartAnswered = true
      pendingStops = 0
      database.mode = 'there'
      service = createService()
      const found = { row: database.find(id), chargedMs: database.chargedMs(id) }
      await service.recover()
      return found
    },
    /** The process is handed over, and the same service takes it up again. Answers what was there to be taken up. */
    async handOver(): Promise<LifeRemains> {
      await untilDone(service.supervisor.handOver(id), (ticks) => {
        if (ticks === OUTAGE_TICKS) database.mode = 'there'
      })
      isHung = false
      database.mode = 'there'
      const found = { row: database.find(id), chargedMs: database.chargedMs(id) }
      await service.recover()
      return found
    },
  }
}
