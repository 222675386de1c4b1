/**
 * Everything that the supervisor and a pipeline's worker say to each other. Small records only: of pixels nothing leaves
 * the worker but JPEGs: for the feed, while somebody looks, the best few of each track, for its report, and the scenes that alerts ask for. The words are the contract; that they travel over a fork's
 * channel is the business of `supervise/`.
 */
import { type HubPath } from '../core/video-output.ts'
import { type InferenceProvider } from '../core/inference-provider.ts'
import { type ObjectSizes } from '../core/object-size.ts'
import { type OutputState } from '../core/video-output.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type Scene } from '../core/scene.ts'
import { type ScenePicture } from '../core/track-picture.ts'
import { type TelemetryPlan, type TelemetrySample } from '../core/telemetry.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { type OutboundRules } from '../outbound/rules.ts'

/** What a worker is to do. */
export interface PipelineOrder {
  readonly input: VideoInput
  /** How a file is read. */
  readonly playback: Playback
  /** How a live stream is waited for. */
  readonly reconnection: Reconnection
  /** Which addresses may be dialled; our own media server always. */
  readonly outbound: OutboundRules
  /** Larger pictures are refused. */
  readonly maxPicture: PictureLimit
  readonly detection: DetectionOrder
  readonly isTracking: boolean
  /** Ids below this one were given before, by a worker that is no more. */
  readonly firstTrackId: number
  readonly isPaused: boolean
  /** Null when nothing is known of the camera. */
  readonly geolocation: GeolocationOrder | null
  readonly outputs: readonly VideoOutput[]
  /** Somebody looks at the feed. */
  readonly isFeedWanted: boolean
  /** Where a preview is published, while somebody looks at it. */
  readonly preview: HubPath | null
  /** The best pictures of each track are sent, for its report. */
  readonly keepsPictures: boolean
  /** Pictures of whole scenes may be asked for. */
  readonly areScenesWanted: boolean
  /** The machine is short of time: what nobody would miss is left undone. */
  readonly isCrowded: boolean
  /** Another node may be working on this process by now: nothing is sent to somebody's server. */
  readonly areOutputsHeld: boolean
}

export interface GeolocationOrder {
  readonly telemetry: TelemetryPlan
  /** The fields of view as an earlier worker knew them: senders send them only when they change. */
  readonly fieldsOfView?: TelemetrySample | undefined
  /** Sizes that differ from the usual ones. */
  readonly sizes?: ObjectSizes | undefined
  /** Where heights of the ground are. */
  readonly terrainDir?: string | undefined
}

/** Where the video of a process comes from. */
export type VideoInput = { readonly kind: 'file'; readonly path: string } | HubPath

export interface Playback {
  /** `realtime` takes as long as the video lasts; `fast` as long as detection needs. */
  readonly pace: 'realtime' | 'fast'
  /** The moment that the beginning of the file stands for; null for when its first picture comes. */
  readonly startedAtMs: number | null
  /** A worker before this one came this far; null for the beginning. */
  readonly resumeAfterSeconds: number | null
}

export interface Reconnection {
  /** A stream that is silent for longer is lost. */
  readonly silenceMs: number
  /** A process that ran before waits for its source; a new one fails when it isn't there. */
  readonly mayWait: boolean
  /** How long a lost source is waited for; null for ever. */
  readonly giveUpAfterMs: number | null
}

/** To the process in which an accelerator is tried out. */
export interface ToProviderTrial {
  readonly provider: InferenceProvider
}

export type FromProviderTrial = { readonly type: 'works' } | { readonly type: 'failed'; readonly reason: string }

export interface DetectionOrder {
  readonly model: string
  /** 0…1: only what is at least this certain is reported; null for the default. */
  readonly confidence: number | null
  /** Names of the only classes that are wanted; null for all. */
  readonly classes: readonly string[] | null
  /** Columns and rows, as in `2x2`; or `auto`, to choose them by telemetry and what the CPU allows. */
  readonly tiles: string
  readonly threads: number
  readonly provider: InferenceProvider
  readonly cacheDir: string
  /** Where the models are that users bring. */
  readonly modelsDir?: string | undefined
}

export type ToWorker =
  | { readonly type: 'start'; readonly order: PipelineOrder }
  | PipelineCommand
  /** The turn at the model that was wanted has come. */
  | { readonly type: 'turn' }
  /** Come to an end: what is still held back is sent, then `finished`. */
  | { readonly type: 'end' }

/** Commands to a pipeline that runs. */
export type PipelineCommand =
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** The machine is short of time, or no longer. */
  | { readonly type: 'crowded'; readonly isCrowded: boolean }
  /** Another node may be working on this process by now, or no longer. */
  | { readonly type: 'hold-outputs'; readonly areHeld: boolean }
  /** The source is there again: don't wait any longer. */
  | { readonly type: 'retry' }
  | { readonly type: 'telemetry'; readonly sample: TelemetrySample }
  | { readonly type: 'attach'; readonly output: VideoOutput }
  | { readonly type: 'detach'; readonly outputId: string }
  /** Somebody looks at the feed, or nobody any more. */
  | { readonly type: 'feed'; readonly isWanted: boolean }
  /** Where a preview is published; null while nobody looks. */
  | { readonly type: 'preview'; readonly target: HubPath | null }
  /** Pictures of whole scenes may be asked for, or no longer. */
  | { readonly type: 'scene-pictures'; readonly isWanted: boolean }
  /** Send the frame that was taken then, with the track's box; null for those of all. */
  | { readonly type: 'scene-picture'; readonly trackId: number | null; readonly takenAtMs: number }
  /** The pictures of tracks that were sent are gone: send them anew. */
  | { readonly type: 'forget-pictures' }

export type FromWorker = PipelineReport | TurnRequest

/** Of the machine's models: as many may work at once as it has cores for. */
export type TurnRequest =
  /** The model is wanted: wait for a `turn`. */
  | { readonly type: 'turn-wanted' }
  /** The model has done its work, and others may have the turn. */
  | { readonly type: 'turn-over' }

export type PipelineReport =
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
  /** How it stands with an output; `sentence` says what is wrong. */
  | {
      readonly type: 'output'
      readonly outputId: string
      readonly state: OutputState
      readonly sentence: string | null
    }
  /** A picture for the feed. */
  | { readonly type: 'picture'; readonly jpeg: Uint8Array }
  /** Something that the operator should know; the work goes on. */
  | { readonly type: 'warning'; readonly sentence: string }
  /** The best so far of some tracks, at most about once a second for each. */
  | { readonly type: 'track-pictures'; readonly pictures: readonly TrackPicture[] }
  /** A whole scene that was asked for. */
  | { readonly type: 'scene-picture'; readonly picture: ScenePicture }
  /** The file has ended, or the end was asked for. */
  | { readonly type: 'finished' }
  /** It is of no use to try again. With what FFmpeg said of it, for the log. */
  | {
      readonly type: 'failed'
      readonly reason: PipelineFailure
      readonly sentence: string
      readonly ffmpegMessage?: string | undefined
    }

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
  /** Frames that were never looked at, because a newer one was there. */
  readonly droppedFrames: number
  /** Pieces of the stream that were lost on the way, or could not be decoded. */
  readonly decodeErrors: number
  /** Of the pictures of the last ten seconds, before how many something was lost on the way: 0 to 1. Left out by earlier versions. */
  readonly lossShare?: number
  readonly inferenceMs: Spread
  /** How many cores the model keeps busy; left out by earlier versions. */
  readonly modelLoad?: number
  /** How many cores decoding would keep busy in addition, had nothing been left undecoded; left out by earlier versions. */
  readonly sparedLoad?: number
  /** When the last picture came, by this machine's wall clock; left out before the first. Of all workers of a process. */
  readonly lastFrameAtMs?: number
  /** From a frame's arrival to its scene. */
  readonly latencyMs: Spread
  /** How pictures are cut now, if that is chosen automatically. */
  readonly tiling?: TilingReport
}

export interface TilingReport {
  /** Columns and rows, as in `2x2`. */
  readonly grid: string
  /** Pixels that the model sees for each pixel of the picture. */
  readonly scale: number
  /** How often it looks at one picture. */
  readonly looks: number
  /** Why, and what was assumed. */
  readonly sentence: string
}

export interface Spread {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}
