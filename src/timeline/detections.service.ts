import { toAskedStretch } from '../core/asked-stretch.ts'
import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type TimeRange } from '../core/request-fields.ts'
import { type DetectionReader, type ReadDetections } from './detection-reader.ts'
import { thinLooks } from './thin-looks.ts'

export interface DetectionServiceDeps {
  readonly reader: Pick<DetectionReader, 'read'>
  readonly sources: { find(accountId: string, id: string): Promise<unknown> }
  readonly clock: Pick<Clock, 'now'>
}

export interface DetectionsRequest {
  readonly sourceId: string
  readonly processId: string | undefined
  readonly range: TimeRange
  readonly everySeconds: number | undefined
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal
}

export type DetectionService = ReturnType<typeof createDetectionService>

const LIMITS = { defaultMs: 60_000, maxMs: 3_600_000, tooLong: 'Ask for at most an hour at a time.' }

export function createDetectionService({ reader, sources, clock }: DetectionServiceDeps) {
  const stretchOf = (asked: TimeRange): Stretch => toAskedStretch(asked, { ...LIMITS, nowMs: clock.now() })

  return {
    async open(owner: Account, request: DetectionsRequest): Promise<ReadDetections> {
      const { sourceId, processId, range, everySeconds, signal } = request
      const stretch = stretchOf(range)
      if (!(await sources.find(owner.id, sourceId))) throw new AppError('source-not-found', { source_uuid: sourceId })
      const found = await reader.read({ sourceId, processId, stretch, signal })
      return { ...found, looks: thinLooks(found.looks, everySeconds) }
    },
  }
}
