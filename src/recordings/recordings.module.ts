import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createRecorder, type RecorderDeps } from './recorder.ts'
import { createRecordingKeeper } from './recording-keeper.ts'
import { type RecordingRouteDeps, recordingRoutes } from './recordings.routes.ts'
import { createRecordingService } from './recordings.service.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSegmentStore } from './segments.store.ts'

export interface RecordingsDeps {
  readonly options: {
    readonly dataDir: string
    readonly recording: { readonly segmentSeconds: number; readonly mergeSeconds: number }
  }
  readonly db: Db
  readonly streams: Pick<Streams, 'livePaths' | 'grant'>
  readonly sources: RecorderDeps['sources']
  readonly budget: Pick<DiskBudget, 'count' | 'onPass'>
  readonly signer: LinkSigner
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly owners: RecordingRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

/** What is kept of live streams: written, listed, removed in time. */
export function createRecordings(deps: RecordingsDeps) {
  const { options, db, streams, sources, budget, signer, findAccount, owners, clock, log } = deps
  const { dataDir } = options
  const store = createRecordingStore(db)
  const segments = createSegmentStore(db)
  const recorder = createRecorder({ dataDir, ...options.recording, store, segments, sources, streams, clock, log })
  const keeper = createRecordingKeeper({ dataDir, segments, recorder, clock, log })
  budget.count(keeper.kept)
  budget.onPass((state) => keeper.onPass(state))

  const service = createRecordingService({ dataDir, store, segments, signer, findAccount, clock })

  return {
    service,
    recorder,
    listHeld: () => segments.listHeld(),
    routes: [recordingRoutes({ recordings: service, owners })],
    removeAllOf: (accountId: string) => keeper.removeAllOf(accountId),
    jobs: keeper.jobs,
    /** Mends what a crash left behind. Before anything new is recorded. */
    restore: () => recorder.recover(),
    close: () => recorder.close(),
  }
}
