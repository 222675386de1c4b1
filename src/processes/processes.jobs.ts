import { type Clock } from '../core/clock.ts'
import { type JobKind } from '../storage/job-kind.ts'
import { createKeyWatch, type KeyWatchDeps } from './key-watch.ts'
import { type MinutesWatch } from './minutes-watch.ts'
import { type ProcessedVideo } from './processed-video.ts'
import { type ProcessService } from './processes.service.ts'
import { type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

const DAY_MS = 86_400_000
/** How long the records of processes that have ended are kept. */
const KEEP_DAYS = 30
/** For so long a process may outlive the last day of its key. */
const KEY_WATCH_EVERY_MS = 3_000
const MINUTES_WATCH_EVERY_MS = 5_000

export interface ProcessJobDeps {
  readonly store: Pick<ProcessStore, 'removeEndedBefore'>
  readonly video: Pick<ProcessedVideo, 'removeForgotten'>
  readonly accounts: KeyWatchDeps['accounts']
  readonly supervisor: Pick<Supervisor, 'listLiveProcesses'>
  readonly service: Pick<ProcessService, 'stopAll'>
  readonly minutes: Pick<MinutesWatch, 'look'>
  readonly clock: Pick<Clock, 'now'>
}

export function processJobs(deps: ProcessJobDeps): JobKind[] {
  const { store, video, accounts, supervisor, service, minutes, clock } = deps
  const listAccounts = () => [...new Set(supervisor.listLiveProcesses().map(({ process }) => process.accountId))]
  return [
    {
      kind: 'process-retention',
      everyMs: DAY_MS / 24,
      async handle() {
        await store.removeEndedBefore(clock.now() - KEEP_DAYS * DAY_MS)
        await video.removeForgotten()
      },
    },
    {
      kind: 'process-key-watch',
      everyMs: KEY_WATCH_EVERY_MS,
      handle: createKeyWatch({ accounts, processes: { ...service, listAccounts } }),
    },
    { kind: 'process-minutes-watch', everyMs: MINUTES_WATCH_EVERY_MS, handle: () => minutes.look() },
  ]
}
