import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createSearchedOwners, type SearchedOwnersDeps } from '../core/searched-owners.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { type JobRunner } from '../storage/job-runner.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { createCollector } from './collector.ts'
import { enhancementJob } from './enhancement-job.ts'
import { createEnhancementService } from './enhancement.service.ts'
import { createEnhancementDraftStore } from './enhancement-drafts.store.ts'
import { createEnhancementRunStore } from './enhancement-runs.store.ts'
import { createEnhancementWorker, createWorkerLauncher, type LaunchWorker } from './enhancement-worker.ts'
import { createPictureFiles, REPORTS } from './picture-files.ts'
import { createPictureWriter } from './picture-writer.ts'
import { createPictureStore } from './pictures.store.ts'
import { createReportKeeper } from './report-keeper.ts'
import { createReportReader } from './report-reader.ts'
import { type ReportRouteDeps, reportRoutes } from './reports.routes.ts'
import { createReportService, type ReportProcesses } from './reports.service.ts'
import { createReportStore } from './reports.store.ts'
import { createTrackExports } from './track-exports.ts'
import { createTrackSearchService } from './track-search.service.ts'
import { createTrackSearchStore } from './track-search.store.ts'
import { createTrackFactStore } from './track-facts.store.ts'
import { type TrackPictureRouteDeps, trackPictureRoutes } from './track-picture.routes.ts'
import { createTrackPictureService, type TrackPictureDeps } from './track-pictures.service.ts'
import { trackRoutes } from './tracks.routes.ts'
import { createTrackStore } from './tracks.store.ts'

export interface ReportsDeps {
  readonly options: { readonly dataDir: string; readonly reportRetentionDays: number }
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Bus<AppEvents>
  readonly jobStore: Pick<JobStore, 'add'>
  readonly runner: Pick<JobRunner, 'wake'>
  readonly processes: ReportProcesses
  readonly videoUrls: ReportRouteDeps['videoUrls']
  readonly owners: ReportRouteDeps['owners']
  readonly budget: Pick<DiskBudget, 'count' | 'state'>
  readonly places: FilePlaces
  readonly findAccount: (accountId: string) => Promise<unknown>
  readonly links: TrackPictureDeps['links']
  readonly rights: TrackPictureRouteDeps['rights'] & SearchedOwnersDeps['rights']
  readonly launch?: LaunchWorker
  readonly clock: Clock
  readonly log: Log
}

/** A track that was not seen for so long is never seen again, and its pictures stay as they are. */
const SETTLED_MS = 600_000

/** Everything about track reports: what is kept of tracks, how it is read, and what is found out about them afterwards. */
export function createReports(deps: ReportsDeps) {
  const {
    options,
    db,
    node,
    bus,
    jobStore,
    runner,
    processes,
    videoUrls,
    owners,
    rights,
    budget,
    places,
    findAccount,
    clock,
    log,
  } = deps
  const store = createReportStore(db)
  const tracks = createTrackStore(db)
  const pictures = createPictureStore(db, node)
  const files = createPictureFiles(options.dataDir, places)
  budget.count({
    isSlowToCount: true,
    heldBytes: async () => places.withoutStored(REPORTS, await pictures.heldBytes()),
  })
  places.add({
    kind: REPORTS,
    listSettled: (since) => pictures.listUnstored(Math.max(0, since - SETTLED_MS), clock.now() - SETTLED_MS),
  })
  const collector = createCollector({
    tracks,
    pictures: createPictureWriter({ files, store: pictures, budget, clock, log }),
    clock,
    log,
  })
  const service = createReportService({
    store,
    collector,
    reader: createReportReader({ reports: store, tracks, files, clock }),
    files,
    processes,
    clock,
    log,
  })
  const keeper = createReportKeeper({
    retentionDays: options.reportRetentionDays,
    store,
    pictures,
    files,
    collector,
    processes,
    clock,
  })
  const worker = createEnhancementWorker({ launch: deps.launch ?? createWorkerLauncher({ clock, log }), clock })
  const runs = createEnhancementRunStore(db, jobStore)
  const drafts = createEnhancementDraftStore(db)

  bus.on('scene', (event) => collector.onScene(event))
  bus.on('track-pictures', (event) => collector.onPictures(event))
  bus.on('process-state', async ({ isLive, processId }) => {
    if (!isLive) await collector.flush({ processId })
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await keeper.removeAllOf(accountId)
  })

  const jobs: readonly JobKind[] = [
    keeper.job,
    enhancementJob({ runs, drafts, pictures, files, worker, findAccount, clock, log }),
  ]

  const enhancement = createEnhancementService({
    runs,
    drafts,
    findReport: (account, processId) => service.find(account, processId),
    worker,
    wakeJobs: (kind) => runner.wake(kind),
    clock,
  })

  const trackSearch = createTrackSearchService({
    store: createTrackSearchStore(db),
    files,
    flush: (filter) => service.flush(filter),
  })

  const trackPictures = createTrackPictureService({
    ...deps,
    reports: service,
    tracks: createTrackFactStore(db),
    pictures,
    files,
  })

  return {
    service,
    enhancement,
    trackSearch,
    trackPictures,
    /** For what hands reports on. */
    exports: createTrackExports({ store, reports: service }),
    routes: [
      reportRoutes({ reports: service, enhancement, videoUrls, owners, rights }),
      trackRoutes({ trackSearch, searchedOwners: createSearchedOwners({ owners, rights }) }),
      trackPictureRoutes({ trackPictures, rights }),
    ],
    jobs,
    async handOverProcesses(processIds: readonly string[]): Promise<void> {
      for (const processId of processIds) await collector.flush({ processId })
    },
    /** Writes what has come last. */
    async close(): Promise<void> {
      await worker.close()
      await collector.close()
    },
  }
}
