import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { isLive } from '../core/process-facts.ts'
import { type Log } from '../observe/log.ts'
import { type Collector } from './collector.ts'
import { type PendingFilter } from './pending-sightings.ts'
import { type PictureFiles } from './picture-files.ts'
import { type Report, type ReportTrack } from './report.ts'
import { type ReportReader, type Wanted } from './report-reader.ts'
import { type ReportWindow, type RequestedWindow, windowOf } from './report-window.ts'
import { type ReportStore } from './reports.store.ts'

export interface ReportServiceDeps {
  readonly store: ReportStore
  readonly collector: Pick<Collector, 'flush' | 'without'>
  readonly reader: ReportReader
  readonly files: Pick<PictureFiles, 'removeAllOf'>
  readonly processes: ReportProcesses
  readonly clock: Clock
  readonly log: Log
}

/** What a report needs to know of processes beyond what is written of them. */
export interface ReportProcesses {
  /** Of one that somebody looks after. */
  stateOf(processId: string): string | undefined
  /** Calls when the process has ended and that is written; at once if it has. */
  onEnd(processId: string, handler: () => void): void
  /** To the worker of one that lives: what is kept of its tracks' pictures was removed, and they are to be sent again. */
  send(processId: string, command: { readonly type: 'forget-pictures' }): void
  /** Of one that has ended. */
  removeVideo(processId: string): Promise<void>
}

/** A report that is being read. */
export interface OpenReport {
  readonly report: Report
  /** When it was asked for. */
  readonly time: number
  readonly window: ReportWindow
  readonly tracks: AsyncIterable<ReportTrack>
}

export type ReportService = ReturnType<typeof createReportService>

export function createReportService({ store, collector, reader, files, processes, clock, log }: ReportServiceDeps) {
  /** A client that knows of the end of a process may ask before that is written. */
  async function untilEndIsWritten(processId: string): Promise<void> {
    const state = processes.stateOf(processId)
    if (state === undefined || isLive(state)) return
    await new Promise<void>((resolve) => processes.onEnd(processId, resolve))
  }

  async function stored(account: Pick<Account, 'id'>, processId: string): Promise<Report> {
    const report = await store.find(account.id, processId)
    if (!report) throw new AppError('report-not-found', { process_uuid: processId })
    return report
  }

  /** The caller gets what is stored, also when the last two seconds can't be. */
  async function flush(filter?: PendingFilter): Promise<void> {
    await collector
      .flush(filter)
      .catch((error: unknown) => log.error({ err: error }, 'a report is read without what was seen last'))
  }

  async function find(account: Pick<Account, 'id'>, processId: string): Promise<Report> {
    // First of all: nothing is done for somebody whose report it is not.
    await stored(account, processId)
    await untilEndIsWritten(processId)
    await flush({ processId })
    return stored(account, processId)
  }

  return {
    find,
    flush,

    async open(account: Account, processId: string, requested: RequestedWindow, wanted: Wanted): Promise<OpenReport> {
      const report = await find(account, processId)
      const time = clock.now()
      const window = windowOf(report, requested, time)
      return { report, time, window, tracks: reader.read(report, window, wanted) }
    },

    async list(account: Account, page: PageRequest): Promise<Page<Report>> {
      await flush({ accountId: account.id })
      return store.list(account.id, page)
    },

    async remove(account: Account, processId: string): Promise<void> {
      await stored(account, processId)
      await untilEndIsWritten(processId)
      reader.cutOff(processId)
      // Rows first: what has no row is not shown, and files without rows are swept.
      const clear = async () => {
        await store.removeTracks(processId)
        await files.removeAllOf(processId)
      }
      const isHidden = await collector.without(processId, () => store.hide(processId))
      // Nothing is written of a hidden one any more; of one that lives nothing may be while it is emptied.
      await (isHidden ? clear() : collector.without(processId, clear))
      processes.send(processId, { type: 'forget-pictures' })
      // Its link stands in the report's listing only: nobody could find it any more, or remove it.
      const state = processes.stateOf(processId)
      if (state === undefined || !isLive(state)) await processes.removeVideo(processId)
    },
  }
}
