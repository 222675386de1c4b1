/**
 * Everything that the supervisor and a pipeline's worker say to each other. Small records only: pixels never leave the
 * worker. The words are the contract; that they travel over a fork's channel is the business of `supervise/`.
 */
import { type Scene } from '../core/scene.ts'

/** What a worker is to do. */
export interface PipelineOrder {
  readonly input: FileInput | LiveInput
  readonly detection: DetectionOrder
  readonly isTracking: boolean
  /** Ids below this one were given before, by a worker that is no more. */
  readonly firstTrackId: number
  readonly isPaused: boolean
}

export interface FileInput {
  readonly kind: 'file'
  readonly path: string
  /** `realtime` takes as long as the video lasts; `fast` as long as detection needs. */
  readonly pace: 'realtime' | 'fast'
  /** The moment that the beginning of the file stands for; null for when its first picture comes. */
  readonly startedAtMs: number | null
  /** A worker before this one came this far; null for the beginning. */
  readonly resumeAfterSeconds: number | null
}

export interface LiveInput {
  readonly kind: 'live'
  readonly url: string
  /** A stream that is silent for longer is lost. */
  readonly silenceMs: number
  /** A process that ran before waits for its source; a new one fails when it isn't there. */
  readonly mayWait: boolean
  /** How long a lost source is waited for; null for ever. */
  readonly giveUpAfterMs: number | null
  /** Which addresses may be dialled; null for our own media server. */
  readonly outbound: { readonly deny: readonly string[]; readonly allow: readonly string[] } | null
}

export interface DetectionOrder {
  readonly model: string
  /** 0…1: only what is at least this certain is told; null for what is usual. */
  readonly confidence: number | null
  /** Names of the only classes that are wanted; null for all. */
  readonly classes: readonly string[] | null
  /** Columns and rows, as in `2x2`. */
  readonly tiles: string
  readonly threads: number
  readonly cacheDir: string
  /** Where the models are that users bring. */
  readonly modelsDir?: string | undefined
}

export type ToWorker =
  | { readonly type: 'start'; readonly order: PipelineOrder }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** The source is there again: don't wait any longer. */
  | { readonly type: 'retry' }

export type FromWorker =
  /** The model is loaded, and pictures come. Said again after every loss. */
  | {
      readonly type: 'running'
      readonly video: SourceVideo
      /** Of a file: the moment that its beginning stands for. */
      readonly startedAtMs: number
    }
  | { readonly type: 'reconnecting'; readonly sentence: string }
  | { readonly type: 'scene'; readonly scene: Scene }
  | { readonly type: 'stats'; readonly stats: PipelineStats }
  /** The file has ended. */
  | { readonly type: 'finished' }
  /** It is of no use to try again. */
  | { readonly type: 'failed'; readonly reason: PipelineFailure; readonly sentence: string }

export type PipelineFailure = 'source-not-live' | 'source-unreadable' | 'source-lost' | 'model-unusable'

export interface SourceVideo {
  readonly codec: string
  readonly width: number
  readonly height: number
  /** Where the source says it. */
  readonly fps: number | null
}

/** Of the last seconds; the counts are since the worker's start. */
export interface PipelineStats {
  readonly inputFps: number
  readonly processedFps: number
  /** Decoded frames that were never looked at, because a newer one was there. */
  readonly droppedFrames: number
  /** Pieces of the stream that could not be decoded. */
  readonly decodeErrors: number
  readonly inferenceMs: Spread
  /** From a frame's arrival to its scene. */
  readonly latencyMs: Spread
}

export interface Spread {
  readonly p50: number | null
  readonly p95: number | null
}
