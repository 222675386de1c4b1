import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { inMessages } from '../core/message-parts.ts'
import { type PullStatus } from '../streams/pulled-paths.ts'
import { type Streams } from '../streams/streams.module.ts'

/** What every node reports of its streams every second, and nobody stores: when video came, and how it goes with its cameras. */
export const StreamReport = z.object({
  videos: z.array(z.object({ path: z.string().max(200), agoMs: z.number().nonnegative() })).max(1_000),
  pulls: z
    .array(
      z.object({
        path: z.string().max(200),
        status: z.object({
          state: z.enum(['idle', 'connecting', 'connected', 'lost']),
          since: z.number(),
          lastError: z.object({ sentence: z.string().max(1_000), at: z.number() }).nullable(),
        }),
      }),
    )
    .max(1_000),
})
export type StreamReport = z.infer<typeof StreamReport>

export interface StreamReports {
  /** Of another node. */
  handle(report: StreamReport): void
  /** What another node has reported of the camera of this path. */
  pullStatusOf(path: string): PullStatus | undefined
  start(): void
  close(): void
}

export interface StreamReportsDeps {
  readonly streams: Pick<Streams, 'onLocalVideo' | 'noteRemoteVideo'> & {
    readonly pulledPaths: Pick<Streams['pulledPaths'], 'listStatuses'>
  }
  /** To all other nodes; what is lost comes again. */
  readonly publish: (report: StreamReport) => void
  /** Something is known of cameras that was not before; called once a second at most, however many nodes report. */
  readonly onPulls: () => void
  readonly clock: Clock
}

const EVERY_MS = 1_000
/** Nodes that have come meanwhile get all cameras then. */
const ALL_PULLS_EVERY = 30
const MAX_IN_MESSAGE = 500
const MAX_PULLS = 10_000

export function createStreamReports({ streams, publish, onPulls, clock }: StreamReportsDeps): StreamReports {
  const closing = new AbortController()
  /** When video came last, on our steady clock, since the last report. */
  const videoAt = new Map<string, number>()
  let reported = new Map<string, PullStatus>()
  const pulls = new Map<string, PullStatus>()
  let isNew = false

  function collect(isAll: boolean): StreamReport {
    const now = clock.steady()
    const videos = [...videoAt].map(([path, at]) => ({ path, agoMs: Math.max(0, Math.round(now - at)) }))
    videoAt.clear()
    const all = streams.pulledPaths.listStatuses()
    const changed = all.filter(({ path, status }) => isAll || reported.get(path) !== status)
    reported = new Map(all.map(({ path, status }) => [path, status]))
    return { videos, pulls: changed }
  }

  function publishInParts({ videos, pulls: statuses }: StreamReport): void {
    for (const part of inMessages(videos, MAX_IN_MESSAGE)) publish({ videos: part, pulls: [] })
    for (const part of inMessages(statuses, MAX_IN_MESSAGE)) publish({ videos: [], pulls: part })
  }

  async function run(): Promise<void> {
    for (let round = 0; !closing.signal.aborted; round++) {
      publishInParts(collect(round % ALL_PULLS_EVERY === 0))
      if (isNew) onPulls()
      isNew = false
      await clock.sleep(EVERY_MS, closing.signal)
    }
  }

  return {
    handle(report) {
      for (const { path, agoMs } of report.videos) streams.noteRemoteVideo(path, agoMs)
      for (const { path, status } of report.pulls) {
        pulls.delete(path)
        pulls.set(path, status)
        dropOldest(pulls, MAX_PULLS)
      }
      isNew ||= report.pulls.length > 0
    },
    pullStatusOf: (path) => pulls.get(path),
    start() {
      streams.onLocalVideo((path, agoMs) => void videoAt.set(path, clock.steady() - agoMs))
      void run()
    },
    close: () => closing.abort(),
  }
}
