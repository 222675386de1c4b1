import { type Account } from '../core/account.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createImportanceMarks } from './importance-marks.ts'
import { createImportanceMarkStore } from './importance-marks.store.ts'
import { createRecorder, type RecorderDeps } from './recorder.ts'
import { RECORDINGS } from './recording-closer.ts'
import { createRecordingKeeper, RECORDING_REMOVAL, type RecordingRemoval } from './recording-keeper.ts'
import { pieceRoutes } from './pieces.routes.ts'
import { createPieces, type PiecesDeps } from './pieces.ts'
import { createRecordedFileStore } from './recorded-files.store.ts'
import { createRecordedTime } from './recorded-time.ts'
import { type RecordingRouteDeps, recordingRoutes } from './recordings.routes.ts'
import { createRecordingService } from './recordings.service.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSegmentStore } from './segments.store.ts'
import { createVod } from './vod.ts'
import { createVodTokens } from './vod-token.ts'
import { createVodViewers, type VodViewersDeps } from './vod-viewers.ts'

export interface RecordingsDeps {
  readonly options: {
    readonly dataDir: string
    readonly corsOrigins: readonly string[]
    readonly recording: { readonly segmentSeconds: number; readonly mergeSeconds: number }
  }
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Pick<Bus<AppEvents>, 'on'>
  readonly jobStore: Pick<JobStore, 'add'>
  readonly streams: Pick<Streams, 'localPaths' | 'grant' | 'admit'>
  readonly sources: RecorderDeps['sources'] & PiecesDeps['sources']
  readonly sourceTokens: VodViewersDeps['tokens']
  readonly rights: VodViewersDeps['rights']
  readonly budget: Pick<DiskBudget, 'count' | 'onPass'>
  readonly places: FilePlaces
  /** Undefined in a service of one node. */
  readonly nodeFiles?: NodeFiles | undefined
  readonly signer: LinkSigner
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly findKeyHash: VodViewersDeps['findKeyHash']
  readonly owners: RecordingRouteDeps['owners']
  readonly clock: Clock
  readonly log: Log
}

/** A file ends with a keyframe: cameras that send one more seldom have longer files than we count with. */
const MAX_KEYFRAME_DISTANCE_MS = 600_000

/** What is kept of live streams: written, listed, removed in time. */
export function createRecordings(deps: RecordingsDeps) {
  const { options, db, node, bus, jobStore, streams, sources, budget, places, signer, findAccount, owners } = deps
  const { clock, log } = deps
  const { dataDir } = options
  const store = createRecordingStore(db, node)
  const segments = createSegmentStore(db, node, (nodeId, file, tx) => {
    const payload: RecordingRemoval = { file }
    return jobStore.add({ kind: RECORDING_REMOVAL, payload, runAt: clock.now(), nodeId }, clock.now(), tx)
  })
  const recorder = createRecorder({ dataDir, ...options.recording, store, segments, sources, streams, clock, log })
  const marks = createImportanceMarks({
    store: createImportanceMarkStore(db, 2 * options.recording.segmentSeconds * 1000 + MAX_KEYFRAME_DISTANCE_MS),
    bus,
    clock,
    log,
  })
  const keeper = createRecordingKeeper({ dataDir, segments, places, recorder, clock, log })
  places.add({
    kind: RECORDINGS,
    // A segment began before it was complete, and what is full waits for the next keyframe.
    listSettled: (since) => segments.listUnstored(since - 2 * options.recording.segmentSeconds * 1000),
  })
  budget.count(keeper.kept)
  budget.onPass((state) => keeper.onPass(state))

  const service = createRecordingService({ places, store, segments, signer, findAccount, clock })
  const files = createRecordedFileStore(db)
  const recordedTime = createRecordedTime({ store: files, places, node, nodeFiles: deps.nodeFiles, signer, clock })
  const tokens = createVodTokens(signer, clock)
  const viewers = createVodViewers({ ...deps, tokens: deps.sourceTokens })
  const vod = createVod({ sources, files, places, tokens, viewers, node })
  const pieces = createPieces({ files, sources, tokens, viewers, places, node })

  return {
    service,
    recorder,
    /** For features that stand on what is recorded. */
    recordedTime,
    /** Plays it. */
    vod,
    listHeld: () => segments.listHeld(),
    routes: [
      recordingRoutes({ recordings: service, owners }),
      pieceRoutes({ pieces, isForOtherOrigins: options.corsOrigins.length > 0 }),
    ],
    removeAllOf: (accountId: string) => keeper.removeAllOf(accountId),
    jobs: keeper.jobs,
    /** Mends what a crash left behind. Before anything new is recorded. */
    async restore() {
      await recorder.recover()
      await marks.restore()
    },
    start: async () => marks.start(),
    async close() {
      await recorder.close()
      await marks.close()
    },
  }
}
