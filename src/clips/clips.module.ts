import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type RecordedTime } from '../core/recorded-time.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobRunner } from '../storage/job-runner.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { CLIPS } from './clip.ts'
import { createClipFolder } from './clip-folder.ts'
import { type ClipKeeperDeps, createClipKeeper } from './clip-keeper.ts'
import { type ClipLooksDeps, createClipLooks } from './clip-looks.ts'
import { type ClipRequestDeps, createClipRequests } from './clip-requests.ts'
import { createClipRoom } from './clip-room.ts'
import { createClipSubjectStore } from './clip-subjects.store.ts'
import { type ClipRouteDeps, clipRoutes } from './clips.routes.ts'
import { type ClipServiceDeps, createClipService } from './clips.service.ts'
import { createClipStore } from './clips.store.ts'
import { type CutJobDeps, cutJob } from './cut-job.ts'
import { clipJobAdder, CUT_JOB } from './cut-jobs.ts'
import { createCuttingWorker, type CuttingWorker } from './cutting-worker.ts'
import { linkClipRoutes } from './link-clips.routes.ts'
import { createLinkClipService, type LinkClipDeps } from './link-clips.service.ts'
import { createLookFileStore } from './look-files.store.ts'

export interface ClipsDeps
  extends
    Pick<ClipRequestDeps, 'rights' | 'flushTracks'>,
    Pick<ClipRouteDeps, 'owners'>,
    Pick<ClipServiceDeps, 'signer' | 'findAccount'>,
    Pick<ClipKeeperDeps, 'fileRemoval'>,
    Pick<ClipLooksDeps, 'nodeFiles'>,
    Pick<LinkClipDeps, 'links'> {
  readonly options: { readonly dataDir: string } & Pick<CutJobDeps, 'maxPicture'>
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Pick<Bus<AppEvents>, 'on'>
  readonly jobStore: Pick<JobStore, 'add'>
  readonly runner: Pick<JobRunner, 'wake'>
  readonly recordedTime: RecordedTime
  readonly budget: Pick<DiskBudget, 'count' | 'state'>
  readonly places: FilePlaces
  readonly worker?: CuttingWorker
  readonly clock: Clock
  readonly log: Log
}

/** Clips: asked for, cut, listed, played, let go of. */
export function createClips(deps: ClipsDeps) {
  const { options, db, node, bus, jobStore, runner, budget, places, clock } = deps
  const store = createClipStore(db, node)
  const folder = createClipFolder(options.dataDir)
  const requests = createClipRequests({ ...deps, subjects: createClipSubjectStore(db) })
  const keeper = createClipKeeper({ ...deps, store })
  for (const kept of keeper.kept) budget.count(kept)
  places.add({ kind: CLIPS, listSettled: (since) => store.listUnstored(since) })
  const service = createClipService({
    ...deps,
    store,
    requests,
    room: createClipRoom(budget),
    keeper,
    addJob: clipJobAdder(jobStore, clock),
    wakeJobs: () => runner.wake(CUT_JOB),
  })
  const linkClips = createLinkClipService({ ...deps, store, requests, clips: service, keeper })
  const job = cutJob({
    ...deps,
    store,
    folder,
    worker: deps.worker ?? createCuttingWorker({ clock, log: deps.log }),
    looks: createClipLooks({ ...deps, store: createLookFileStore(db) }),
    maxPicture: options.maxPicture,
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await keeper.removeAllOf(accountId)
  })

  return {
    /** For features that stand on clips. */
    service,
    store,
    routes: [clipRoutes({ ...deps, clips: service }), linkClipRoutes({ ...deps, linkClips, clips: service })],
    jobs: [job, keeper.job],
    restore: () => folder.restore(),
  }
}
