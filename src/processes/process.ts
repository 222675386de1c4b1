import { type ProcessState } from '../core/process-facts.ts'
import { type PipelineStats } from '../pipeline/messages.ts'

/** Why a process is no more. */
export type StopReason =
  | 'requested'
  | 'key-revoked'
  | 'key-expired'
  | 'usage-limit'
  | 'source-ended'
  | 'source-lost'
  | 'source-not-live'
  | 'source-unreadable'
  | 'model-unusable'
  | 'pipeline-crashed'
  | 'service-restart'

/** Who goes first where there is not enough of the machine for all. */
export const priorities = ['low', 'normal', 'high'] as const
export type Priority = (typeof priorities)[number]

/** How its user wants it. */
export interface ProcessOptions {
  readonly model: string
  /** 0…1: only what is at least this certain is reported; null for the default. */
  readonly confidence: number | null
  /** Names of the only classes that are wanted; null for all. */
  readonly classes: readonly string[] | null
  readonly isTracking: boolean
  /** Columns and rows, as in `2x2`, or `auto`. */
  readonly tiles: string
  readonly pace: 'realtime' | 'fast'
  /** At once, or by itself when video comes: the first time, or each time. */
  readonly begins: 'now' | 'when-live' | 'each-time-live'
  readonly priority: Priority
  /** What the node that it runs on must have, all of it. */
  readonly labels: readonly string[]
}

/** How it is, with what its account was allowed when it started. */
export interface FixedOptions extends ProcessOptions {
  /** The processed video is kept. */
  readonly isRecorded: boolean
  /** It keeps a track report. */
  readonly isReported: boolean
}

/** Whether it waits, without a worker, when no video is there: for the first, or each time for the next. */
export function waitsForVideo({ options, startedAt }: Pick<Process, 'options' | 'startedAt'>): boolean {
  return options.begins === 'each-time-live' || (options.begins === 'when-live' && startedAt === null)
}

/** A detection job on one source. */
export interface Process {
  readonly id: string
  readonly accountId: string
  readonly sourceId: string
  /** With its password; masked wherever it is shown. */
  readonly sourceUrl: string
  readonly sourceType: 'file' | 'stream'
  readonly options: FixedOptions
  readonly state: ProcessState
  readonly createdAt: number
  /** When the first picture came; null before. */
  readonly startedAt: number | null
  readonly stoppedAt: number | null
  readonly stopReason: StopReason | null
  /** The sentence about what went wrong, for a failed one; while reconnecting, about what is wrong now. */
  readonly error: string | null
  /** How often its worker crashed and was started again. */
  readonly restarts: number
  /** No track has a higher id. */
  readonly lastTrackId: number
  /** For how long it has run: what was, or is about to be, charged. */
  readonly consumedMs: number
  readonly stats: PipelineStats | null
}
