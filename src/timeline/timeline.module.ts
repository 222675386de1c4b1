import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type FileRemoval } from '../storage/file-removal.ts'
import { createGrowthRoom } from '../storage/growth-room.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { createDetectionFileStore } from './detection-files.store.ts'
import { createDetectionKeeper } from './detection-keeper.ts'
import { createDetectionReader } from './detection-reader.ts'
import { createDetectionRecorder } from './detection-recorder.ts'
import { detectionRoutes } from './detections.routes.ts'
import { createDetectionService } from './detections.service.ts'
import { DETECTIONS } from './look-files.ts'
import { mendFiles } from './mend-files.ts'
import { createProcessStateStore } from './process-states.store.ts'
import { createProcessStates } from './process-states.ts'
import { timelineRoutes } from './timeline.routes.ts'
import { createTimelineService, type TimelineServiceDeps } from './timeline.service.ts'
import { createTimelineStore } from './timeline.store.ts'

export interface TimelineDeps {
  readonly options: { readonly dataDir: string }
  readonly db: Db
  readonly node: OwnNode | null
  readonly bus: Pick<Bus<AppEvents>, 'on'>
  readonly sources: TimelineServiceDeps['sources']
  readonly rights: Pick<SourceRights, 'ownerFor'>
  readonly budget: Pick<DiskBudget, 'count' | 'state'>
  readonly places: FilePlaces
  /** Undefined in a service of one node. */
  readonly nodeFiles?: NodeFiles | undefined
  readonly fileRemoval: FileRemoval
  readonly signer: LinkSigner
  readonly clock: Clock
  readonly log: Log
}

const NO_ROOM = 'the disk budget is used up: what processes see is not recorded'
/** A file has looks of an hour, and is closed within one more; a camera's clock may be behind. */
const CLOSED_WITHIN_MS = 3 * 3_600_000

/** What was seen in streams, and what happened in them: recorded, read, shown as a line of time. */
export function createTimeline(deps: TimelineDeps) {
  const { options, db, node, bus, places, budget, clock, log } = deps
  const { dataDir } = options
  const store = createDetectionFileStore(db, node)
  const stateStore = createProcessStateStore(db)
  const room = createGrowthRoom({ budget, sentence: NO_ROOM, clock, log })
  const recorder = createDetectionRecorder({ dataDir, store, room, node, clock, log })
  const states = createProcessStates({ store: stateStore, clock, log })
  const keeper = createDetectionKeeper({ ...deps, store, states: stateStore })
  places.add({ kind: DETECTIONS, listSettled: (since) => store.listUnstored(since - CLOSED_WITHIN_MS) })
  budget.count(keeper.kept)
  const reader = createDetectionReader({ ...deps, store, recorder, nodeFiles: deps.nodeFiles })
  const detections = createDetectionService({ ...deps, reader })
  const timeline = createTimelineService({
    ...deps,
    store: createTimelineStore(db),
    states: stateStore,
    reader,
    recorder,
  })
  const closing = new AbortController()
  let leftOpen: readonly DetectionFileRow[] = []
  let mending: Promise<void> | undefined

  bus.on('scene', (event) => recorder.onScene(event))
  bus.on('process-state', async (change) => {
    states.onChange(change)
    if (!change.isLive) await recorder.end([change.processId])
  })
  bus.on('key-revoked', async ({ accountId, purge }) => {
    if (purge) await recorder.without(accountId, () => keeper.removeAllOf(accountId))
  })

  return {
    routes: [
      detectionRoutes({ detections, reader, rights: deps.rights }),
      timelineRoutes({ timeline, rights: deps.rights }),
    ],
    jobs: [keeper.job],
    async restore() {
      leftOpen = await store.listOpen()
    },
    async start() {
      recorder.start()
      states.start()
      mending = mendFiles(leftOpen, { dataDir, store, log }, closing.signal)
    },
    handOverProcesses: (processIds: readonly string[]) => recorder.end(processIds),
    /** Resolves when what was seen last is written. */
    async close() {
      closing.abort()
      await Promise.all([recorder.close(), states.close(), mending])
    },
  }
}
