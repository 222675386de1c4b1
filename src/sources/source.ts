import { sha256Of } from '../core/digest.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type RecordingChoice } from '../core/recording-mode.ts'

/** A video file or a stream that an account has registered. */
export interface Source extends RecordingChoice {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly type: 'file' | 'stream'
  /** With its password; a file's own name for files. */
  readonly inputUrl: string
  readonly streamType: 'rtmp' | 'rtsp' | null
  readonly telemetryCfg: TelemetryCfg | null
  /** Its path on our own media server; null for files. */
  readonly mediaPath: string | null
  /** We call it, and publish it under its path ourselves: `inputUrl` leads elsewhere. */
  readonly isPulled: boolean
  readonly sizeBytes: number
  readonly video: VideoInfo | null
  readonly fingerprint: string
  readonly createdAt: number
  /** Of files: what is in it, and where it is below the folder of videos. Sources of one account share a file. */
  readonly contentSha256: string | null
  readonly file: string | null
}

/** What is held in memory of every source. */
export type ListedSource = Pick<
  Source,
  'id' | 'accountId' | 'alias' | 'inputUrl' | 'mediaPath' | 'isPulled' | 'telemetryCfg'
>

/** How it goes with a stream. */
export interface SourceConnection {
  readonly kind: 'published' | 'pulled'
  readonly state: 'connected' | 'offline' | 'idle' | 'connecting' | 'lost'
  readonly since: number | null
  readonly lastError: { readonly sentence: string; readonly at: number } | null
}

/** Whether all is well with a source at this moment. */
export interface SourceHealth {
  /** Null of files. */
  readonly connection: SourceConnection | null
  readonly lastFrame: LastSeen | null
  readonly lastTelemetry: LastSeen | null
  /** What is wrong with it. */
  readonly problem: string | null
}

/** How it is with a source at this moment: nothing of it is stored. */
export interface SourceState extends SourceHealth {
  readonly status: 'offline' | 'streaming' | 'processing' | 'unknown'
  /** Null of files. */
  readonly recording: 'on' | 'off' | 'stopped-disk-full' | null
}

export interface VideoInfo {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly fps: number
  /** WebRTC can't carry them. Not known of what was stored before we looked. */
  readonly hasBFrames?: boolean
}

/** A stream is the same if alias, address, type and telemetry are. */
export function streamFingerprint(stream: {
  alias: string
  inputUrl: string
  streamType: string
  telemetryCfg: TelemetryCfg | null
}): string {
  const { alias, inputUrl, streamType, telemetryCfg } = stream
  return `stream:${sha256Of(JSON.stringify([alias, inputUrl, streamType, sorted(telemetryCfg)]))}`
}

/** A file is the same if content, alias and telemetry are. */
export function fileFingerprint(file: {
  contentSha256: string
  alias: string
  telemetryCfg: TelemetryCfg | null
}): string {
  const { contentSha256, alias, telemetryCfg } = file
  return `file:${sha256Of(JSON.stringify([contentSha256, alias, sorted(telemetryCfg)]))}`
}

export function isSameTelemetry(one: TelemetryCfg | null, other: TelemetryCfg | null): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

/** The same JSON whatever the order of its keys. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
