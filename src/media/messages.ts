/** Everything that the main process and the media server say to each other. */
import { type PictureLimit } from '../core/picture-limit.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type Access, type AccessRequest, type Protocol } from './access.ts'
import { type EndReason } from './publication.ts'
import { type RefusalReason } from './refusal.ts'
import { type Codec } from './stream.ts'

export type { Access, Protocol } from './access.ts'
export type { RefusalReason } from './refusal.ts'

export interface MediaServerOptions {
  readonly host: string
  readonly rtspPort: number
  readonly rtmpPort: number
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  readonly logLevel: string
}

export type ToMediaServer =
  | { readonly type: 'start'; readonly options: MediaServerOptions }
  | { readonly type: 'access'; readonly id: number; readonly answer: AccessAnswer }
  /** This principal lost its rights: its publications and readers end. */
  | { readonly type: 'expel'; readonly principal: string }

export type AccessAnswer =
  { readonly access: Access } | { readonly refusal: { readonly reason: RefusalReason; readonly sentence: string } }

export interface AccessQuestion {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly request: AccessRequest
  /** It was let in before and stays: attempts that failed meanwhile do not count. */
  readonly isAgain?: boolean
}

export type FromMediaServer =
  | { readonly type: 'listening'; readonly rtspPort: number; readonly rtmpPort: number }
  | { readonly type: 'not-listening'; readonly sentence: string }
  | { readonly type: 'authorize'; readonly id: number; readonly question: AccessQuestion }
  | {
      readonly type: 'live'
      readonly path: string
      readonly protocol: Protocol
      readonly video: LiveVideo | undefined
    }
  | { readonly type: 'gone'; readonly path: string; readonly reason: EndReason }

/** What is known of the picture as soon as a stream is live. */
export interface LiveVideo {
  readonly codec: Codec
  /** From the parameter sets, where the publisher sent them ahead. */
  readonly width?: number
  readonly height?: number
}

/** A look at a file or a stream, by the prober's process. */
export interface ProbeRequest {
  readonly input: string
  readonly isLive: boolean
  /** How long to watch a live stream; of a file only the beginning is read. */
  readonly watchMs: number
  readonly timeoutMs: number
  /** Which addresses may be dialled; null for a file, and for our own media server. */
  readonly outbound: OutboundRules | null
  /** Larger pictures are refused. */
  readonly maxPicture: PictureLimit
}

/** As `aerie doctor` prints it. */
export interface ProbeReport {
  readonly is_live: boolean
  /** FFmpeg's name for the file's format or the stream's protocol. */
  readonly container: string
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly measured_fps: number
  readonly pixel_format: string
  readonly audio_codec: string | null
  readonly duration_seconds: number | null
  /** The longest seen. */
  readonly keyframe_interval_seconds: number | null
  readonly has_b_frames: boolean
  readonly open_ms: number
  readonly first_frame_ms: number | null
  /** Arrival minus the sender's wall clock, by RTCP. */
  readonly wall_clock_skew_ms: number | null
  /** What is wrong, in words. */
  readonly problems: readonly string[]
}

export type ToProber = ProbeRequest
export type FromProber =
  | { readonly type: 'report'; readonly report: ProbeReport }
  /** With what FFmpeg said of it, for the log. */
  | { readonly type: 'failed'; readonly sentence: string; readonly ffmpegMessage?: string | undefined }

/** What is known of a stream's picture once it has been opened. */
export interface OpenedVideo {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly hasBFrames: boolean
}

/** To a recording's process: keep what comes from `url` in files below `folder`. */
export interface RecordRequest {
  readonly url: string
  readonly folder: string
  readonly segmentSeconds: number
  /** How long the stream has been there: no more of it can come at once. */
  readonly liveForMs: number
}

export type ToRecorder = RecordRequest
export type FromRecorder =
  | { readonly type: 'opened'; readonly video: OpenedVideo }
  | { readonly type: 'segment-started'; readonly file: string; readonly startedAtMs: number }
  | { readonly type: 'segment-grown'; readonly file: string; readonly sizeBytes: number }
  | { readonly type: 'segment-ended'; readonly file: string; readonly durationMs: number; readonly sizeBytes: number }
  /** Nothing comes any more; everything is written. */
  | { readonly type: 'ended'; readonly sentence: string | undefined }

/** To the WebRTC gateway's process. */
export interface WebrtcOptions {
  readonly host: string
  /** One UDP port for all; 0 means any free one. */
  readonly port: number
  /** Addresses or names by which browsers reach this machine through a NAT. */
  readonly advertisedHosts: readonly string[]
  readonly stunServers: readonly string[]
  /** Whom browsers may have us send packets to, when they tell of addresses of theirs. */
  readonly outbound: OutboundRules
}

/** A browser's offer, once it is known that it may do what it wants. */
export interface WebrtcOffer {
  /** The session's, made by the main process. */
  readonly id: string
  readonly kind: 'watch' | 'publish'
  readonly path: string
  /** The hub's address of the path, with a token. */
  readonly url: string
  readonly sdp: string
}

export type WebrtcRefusalReason =
  'offer-invalid' | 'cannot-carry' | 'not-live' | 'path-in-use' | 'limit-reached' | 'full' | 'unavailable'

export type ToWebrtc =
  | { readonly type: 'start'; readonly options: WebrtcOptions }
  | { readonly type: 'offer'; readonly offer: WebrtcOffer }
  | { readonly type: 'end'; readonly id: string; readonly reason: string }

export type FromWebrtc =
  | { readonly type: 'answer'; readonly id: string; readonly sdp: string }
  | { readonly type: 'refused'; readonly id: string; readonly reason: WebrtcRefusalReason; readonly sentence: string }
  /** A session that had been answered is over. */
  | { readonly type: 'ended'; readonly id: string; readonly reason: string }

/** To an HLS worker: serve what comes from `url` on the unix socket `socketPath`. */
export interface HlsRequest {
  readonly url: string
  readonly socketPath: string
  /** The media sequence number of its first segment; never smaller than an earlier worker's for the same path. */
  readonly firstSequence: number
}

export type ToHls = HlsRequest
export type FromHls =
  /** The first segment is there, and playlists can be asked for. */
  | { readonly type: 'listening' }
  /** The stream has ended; what was listed can still be fetched for a moment. */
  | { readonly type: 'over' }
  /** Nothing can be fetched any more. With what FFmpeg said of it, for the log. */
  | { readonly type: 'ended'; readonly sentence: string | undefined; readonly ffmpegMessage?: string | undefined }
