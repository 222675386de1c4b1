import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from '../../src/api/server.ts'
import { loadConfig } from '../../src/config/config.ts'
import { type Account } from '../../src/core/account.ts'
import { createBus } from '../../src/core/bus.ts'
import { AppError } from '../../src/core/errors.ts'
import { createEventLinks } from '../../src/core/event-links.ts'
import { type AppEvents, type ProcessBrief } from '../../src/core/events.ts'
import { orderedUuid } from '../../src/core/ordered-uuid.ts'
import { createSearchedOwners, type SearchedOwnersDeps } from '../../src/core/searched-owners.ts'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { type SceneTrack } from '../../src/core/scene.ts'
import { type TrackPicture } from '../../src/core/track-picture.ts'
import { type Enhanced, type EnhancedData, nothingFound, type ToEnhancer } from '../../src/enhance/messages.ts'
import { createHealth } from '../../src/observe/health.ts'
import { createLog } from '../../src/observe/log.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { type Process } from '../../src/processes/process.ts'
import { createProcessStore } from '../../src/processes/processes.store.ts'
import { type LaunchWorker } from '../../src/reports/enhancement-worker.ts'
import { createReports } from '../../src/reports/reports.module.ts'
import { reportRoutes } from '../../src/reports/reports.routes.ts'
import { trackPictureRoutes } from '../../src/reports/track-picture.routes.ts'
import { trackRoutes } from '../../src/reports/tracks.routes.ts'
import { type KeptFiles } from '../../src/storage/kept-files.ts'
import { createJobStore } from '../../src/storage/jobs.store.ts'
import { addAccount } from '../builders/account.ts'
import { createMigratedDatabase, type DialectName } from './databases.ts'
import { createFakeClock } from '../builders/fake-clock.ts'
import { diskOnly } from '../builders/disk-only.ts'
import { ownRights } from '../builders/own-rights.ts'
import { aProcess } from '../builders/process.ts'
import { sceneOf } from '../builders/report.ts'

export type ReportRig = Awaited<ReturnType<typeof createReportRig>>

/** Reports on a real database and in a real folder, with processes that are only written and a worker that is a script. */
export async function createReportRig(dialect: DialectName = 'sqlite') {
  const database = await createMigratedDatabase(dialect)
  const { account } = await addAccount(database, { username: 'admin', minutes: 10 })
  const dataDir = mkdtempSync(join(tmpdir(), 'aerie-reports-'))
  const clock = createFakeClock()
  const logLines: string[] = []
  const log = createLog({ level: 'warn', write: (line) => void logLines.push(line) })
  const bus = createBus<AppEvents>((error) => {
    throw error
  })
  const processes = createProcessStore(database.db)
  const jobStore = createJobStore(database)
  const worker = createScriptedWorker()
  let leftBytes = 1e9
  let heldBytes = 0
  let isKeyGone = false
  const kept: KeptFiles[] = []
  const woken: string[] = []
  const forgotten: string[] = []
  const removedVideos: string[] = []
  const reports = createReports({
    options: { dataDir, reportRetentionDays: 30 },
    db: database.db,
    node: null,
    bus,
    jobStore,
    runner: { wake: (kind) => void woken.push(kind) },
    videoUrls: async () => [],
    owners: { resolve: async (caller) => caller },
    processes: {
      stateOf: () => undefined,
      onEnd: (_id, handler) => handler(),
      send: (processId) => void forgotten.push(processId),
      removeVideo: async (processId) => void removedVideos.push(processId),
    },
    findAccount: async () => {
      if (isKeyGone) throw new AppError('api-key-invalid')
    },
    links: createEventLinks({
      signer: createLinkSigner('secret'),
      serviceUrl: () => 'http://service',
      validMs: 3_600_000,
      clock,
    }),
    rights: ownRights,
    places: diskOnly(dataDir),
    budget: {
      count: (kind) => void kept.push(kind),
      state: async () => ({
        holders: [
          { accountId: account.id, masterId: account.id, heldBytes, removableBytes: 0 },
          { accountId: 'other', masterId: 'other', heldBytes: 1e9 - leftBytes - heldBytes, removableBytes: 0 },
        ],
        usedBytes: 1e9 - leftBytes,
        limitBytes: 1e9,
        leftBytes,
        diskLeftBytes: 1e12,
      }),
    },
    launch: worker.launch,
    clock,
    log,
  })
  const generous: Account = { ...account, limits: { ...account.limits, maxProcesses: 100 } }

  const briefOf = (process: Process): ProcessBrief => ({
    processId: process.id,
    accountId: process.accountId,
    sourceId: process.sourceId,
    sourceUrl: process.sourceUrl,
    isReported: process.options.isReported,
  })

  const rig = {
    database,
    account,
    dataDir,
    clock,
    bus,
    reports,
    worker,
    woken,
    logLines,
    /** Processes that are to send their pictures anew. */
    forgotten,
    removedVideos,
    countBytes: async () => (await kept[0]!.heldBytes()).get(account.id),
    /** What is left of a budget of 1 GB, and what the account holds of it: all, unless said otherwise. */
    setLeftBytes(bytes: number, held = 1e9 - bytes): void {
      leftBytes = bytes
      heldBytes = held
    },
    /** From now on its key is revoked. */
    takeKey: () => void (isKeyGone = true),
    async addProcess(change: Partial<Process> = {}, isReported = true): Promise<Process> {
      const process = aProcess({
        id: orderedUuid(),
        accountId: account.id,
        state: 'running',
        startedAt: clock.now(),
        ...change,
      })
      const added = { ...process, options: { ...process.options, isReported } }
      await processes.insertWithinLimits(generous, added)
      return added
    },
    async end(process: Process, state: Process['state'] = 'finished'): Promise<void> {
      await processes.update({ ...process, state, stoppedAt: clock.now() })
    },
    /** One frame, now or at another time. */
    see: (process: Process, tracks: readonly SceneTrack[], takenAtMs = clock.now()): void =>
      bus.emit('scene', { process: briefOf(process), scene: sceneOf(takenAtMs, tracks) }),
    show: (process: Process, ...pictures: TrackPicture[]): void =>
      bus.emit('track-pictures', { process: briefOf(process), pictures }),
    /** Runs the enhancements that wait, as the job runner would. Answers how many there were. */
    async runJobs(kind: string, signal: AbortSignal = new AbortController().signal): Promise<number> {
      const job = reports.jobs.find((one) => one.kind === kind)!
      const claimed = await jobStore.claim(kind, 10, 'test', clock.now(), clock.now() + 1_000, 600_000)
      for (const one of claimed) {
        await job.handle(one, signal)
        await jobStore.complete(one.id, 'test')
      }
      return claimed.length
    },
    runRetention: () =>
      reports.jobs
        .find(({ kind }) => kind === 'report-retention')!
        .handle(undefined as never, new AbortController().signal),
    /** The API with the reports alone; the key names the account. */
    createApi(accounts: Readonly<Record<string, Account>>, videoUrls: readonly string[] = []) {
      const authenticate = async (key = '') => {
        if (!accounts[key]) throw new AppError('api-key-invalid')
        return accounts[key]
      }
      const owners: SearchedOwnersDeps['owners'] = {
        resolve: async (caller, username) => (username ? accounts[username]! : caller),
      }
      const rights: SearchedOwnersDeps['rights'] = {
        ...ownRights,
        ownerFor: (caller, _id, _right, username) => owners.resolve(caller, username),
        ownerForProcess: (caller, _id, _right, username) => owners.resolve(caller, username),
      }
      return createServer({
        options: { ...loadConfig({}), bodyLimitBytes: 1_000_000 },
        log,
        metrics: createMetrics(),
        health: createHealth(log),
        authenticate,
        recheck: authenticate,
        routes: [
          reportRoutes({
            reports: reports.service,
            enhancement: reports.enhancement,
            videoUrls: async () => videoUrls,
            owners,
            rights,
          }),
          trackRoutes({ trackSearch: reports.trackSearch, searchedOwners: createSearchedOwners({ owners, rights }) }),
          trackPictureRoutes({ trackPictures: reports.trackPictures, rights }),
        ],
      })
    },
    async remove(): Promise<void> {
      await reports.close()
      await database.remove()
      rmSync(dataDir, { recursive: true })
    },
  }
  return rig
}

function answerTo({ track }: ToEnhancer, answer: EnhancedData | 'fails' | 'needs none'): Enhanced {
  if (answer === 'needs none') return { data: nothingFound, needsPictures: false }
  if (answer !== 'fails') return { data: answer, needsPictures: true }
  const data = { ...nothingFound, vehicle_type: track.className }
  return { data, needsPictures: true, unread: `${track.pictures[0]?.file} is damaged.` }
}

/** An enhancement worker that does as the test says. */
export function createScriptedWorker() {
  const requests: ToEnhancer[] = []
  const worker = {
    requests,
    launches: 0,
    stops: 0,
    /** What it does when it starts. */
    greeting: 'ready' as 'ready' | 'dies' | 'silent',
    answer: (_message: ToEnhancer): EnhancedData | 'fails' | 'needs none' | 'dies' | 'hangs' | 'lacks weights' => ({
      ...nothingFound,
      vehicle_type: 'car',
    }),
    launch: (({ onMessage, onExit }) => {
      worker.launches += 1
      const { greeting } = worker
      if (greeting === 'dies') queueMicrotask(onExit)
      else if (greeting === 'ready') queueMicrotask(() => onMessage({ type: 'ready' }))
      return {
        send(message) {
          requests.push(message)
          const answer = worker.answer(message)
          const { request } = message
          queueMicrotask(() => {
            if (answer === 'dies') onExit()
            else if (answer === 'lacks weights') onMessage({ type: 'unusable', sentence: 'The weights are missing.' })
            else if (answer !== 'hangs') onMessage({ type: 'enhanced', request, enhanced: answerTo(message, answer) })
          })
        },
        async stop() {
          worker.stops += 1
        },
        kill: onExit,
      }
    }) as LaunchWorker,
  }
  return worker
}
