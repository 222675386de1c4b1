import { type InferenceProvider } from '../core/inference-provider.ts'
import { type ObjectSizes } from '../core/object-size.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { MAX_STREAM_SILENCE_MS } from '../core/stream-silence.ts'
import { type TelemetryPlan } from '../core/telemetry.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type PipelineOrder, type VideoInput } from '../pipeline/messages.ts'
import { type Process } from './process.ts'
import { type Progress } from './worker-sequence.ts'
import { type WorkerSettings } from './worker-settings.ts'

/** What a process is launched with, whichever worker does it. */
export interface LaunchSpec {
  readonly input: VideoInput
  readonly telemetry: TelemetryPlan | null
  /** What its workers may dial. */
  readonly outbound: OutboundRules
}

export interface OrderOptions {
  readonly maxPicture: PictureLimit
  /** Where converted models are kept. */
  readonly modelCacheDir: string
  /** Where the models are that users bring. */
  readonly modelsDir?: string | undefined
  readonly inferenceThreads: number
  /** What computes the models. */
  readonly provider: InferenceProvider
  /** How long a lost source is waited for; null for ever. */
  readonly reconnectMs: number | null
  /** Sizes of objects that differ from the usual ones. */
  readonly sizes?: ObjectSizes | undefined
  /** Where heights of the ground are. */
  readonly terrainDir?: string | undefined
  /** Another node may be working on our processes by now. */
  readonly areOutputsHeld?: () => boolean
}

/** After so long without video, a process that begins each time it comes ends its worker until then. */
const REST_AFTER_MS = 60_000

/** What a worker is to do for a process now, after its earlier workers came as far as `progress` says. */
export function orderFor(
  process: Process,
  { input, telemetry, outbound }: LaunchSpec,
  { highestTrackId, ptsSeconds }: Progress,
  { fieldsOfView, ...settings }: WorkerSettings,
  options: OrderOptions,
): PipelineOrder {
  const { startedAt } = process
  const { model, confidence, classes, tiles, pace, isTracking, isReported } = process.options
  const { modelCacheDir: cacheDir, modelsDir, inferenceThreads: threads, provider, sizes, terrainDir } = options
  return {
    input,
    playback: { pace, startedAtMs: startedAt, resumeAfterSeconds: ptsSeconds },
    reconnection: {
      silenceMs: MAX_STREAM_SILENCE_MS,
      mayWait: startedAt !== null,
      giveUpAfterMs: giveUpAfterMs(process, options),
    },
    outbound,
    maxPicture: options.maxPicture,
    detection: { model, confidence, classes, tiles, threads, provider, cacheDir, modelsDir },
    isTracking,
    firstTrackId: highestTrackId + 1,
    // Before its first picture a process is not paused yet, whatever was asked for meanwhile.
    isPaused: process.state === 'paused' && process.startedAt !== null,
    geolocation: telemetry && { telemetry, fieldsOfView, sizes, terrainDir },
    keepsPictures: isReported && isTracking,
    areOutputsHeld: options.areOutputsHeld?.() ?? false,
    ...settings,
  }
}

function giveUpAfterMs({ options: { begins } }: Process, { reconnectMs }: OrderOptions): number | null {
  return begins === 'each-time-live' ? Math.min(reconnectMs ?? Infinity, REST_AFTER_MS) : reconnectMs
}
