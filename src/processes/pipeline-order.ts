import { type ObjectSizes } from '../core/object-size.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type TelemetryPlan } from '../core/telemetry.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type FileInput, type LiveInput, type PipelineOrder } from '../pipeline/messages.ts'
import { type Progress } from './live-process.ts'
import { type Process } from './process.ts'

/** Where a worker finds the video. */
export type WorkerInput =
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'live'
      readonly url: string
      /** What may be dialled; null at our own media server. */
      readonly outbound: OutboundRules | null
    }

export interface OrderOptions {
  readonly maxPicture: PictureLimit
  /** Where converted models are kept. */
  readonly modelCacheDir: string
  /** Where the models are that users bring. */
  readonly modelsDir?: string | undefined
  readonly inferenceThreads: number
  /** How long a lost source is waited for; null for ever. */
  readonly reconnectMs: number | null
  /** Sizes of objects that differ from the usual ones. */
  readonly sizes?: ObjectSizes | undefined
  /** Where heights of the ground are. */
  readonly terrainDir?: string | undefined
}

/** A stream that is silent for longer is lost. */
const SILENCE_MS = 5_000

/** What a worker is to do for a process now, after its earlier workers came as far as `progress` says. */
export function orderFor(
  process: Process,
  progress: Progress,
  input: WorkerInput,
  options: OrderOptions,
  telemetry: TelemetryPlan | null,
): Omit<PipelineOrder, 'outputs' | 'isFeedWanted' | 'previewUrl'> {
  const { model, confidence, classes, tiles, isTracking, isReported } = process.options
  const { modelCacheDir: cacheDir, modelsDir, inferenceThreads: threads, sizes, terrainDir } = options
  return {
    input: input.kind === 'file' ? fileInput(input.path, process, progress) : liveInput(input, process, options),
    maxPicture: options.maxPicture,
    detection: { model, confidence, classes, tiles, threads, cacheDir, modelsDir },
    isTracking,
    firstTrackId: progress.highestTrackId + 1,
    isPaused: process.state === 'paused',
    geolocation: telemetry && { telemetry, sizes, terrainDir },
    keepsPictures: isReported && isTracking,
  }
}

function fileInput(path: string, { options, startedAt }: Process, { ptsSeconds }: Progress): FileInput {
  return {
    kind: 'file',
    path,
    pace: options.pace,
    startedAtMs: startedAt,
    resumeAfterSeconds: ptsSeconds,
  }
}

function liveInput(
  { url, outbound }: Extract<WorkerInput, { kind: 'live' }>,
  { startedAt }: Process,
  { reconnectMs }: OrderOptions,
): LiveInput {
  return {
    kind: 'live',
    url,
    silenceMs: SILENCE_MS,
    mayWait: startedAt !== null,
    giveUpAfterMs: reconnectMs,
    outbound,
  }
}
