/** All messages between the main process and the media server and its workers. */
import { type Certificate } from '../core/certificate.ts'
import { type PictureLimit } from '../core/picture-limit.ts'
import { type FragmentIndex } from '../core/recorded-time.ts'
import { type MediaPorts } from '../core/service-ports.ts'
import { type OutboundRules } from '../outbound/rules.ts'
import { type Access, type AccessRequest, type Protocol } from './access.ts'
import { type EndReason } from './publication.ts'
import { type RefusalReason } from './refusal.ts'
import { type Codec } from './stream.ts'

export type { Access, Protocol } from './access.ts'
export type { RefusalReason } from './refusal.ts'

export interface MediaServerOptions {
  readonly host: string
  readonly ports: MediaPorts
  /** Needed where a port by TLS is to be opened. */
  readonly certificate: Certificate | undefined
  readonly logLevel: string
}

export type ToMediaServer =
  | { readonly type: 'start'; readonly options: MediaServerOptions }
  /** It was renewed: connections that come from now on get this one. */
  | { readonly type: 'certificate'; readonly certificate: Certificate }
  | { readonly type: 'access'; readonly id: number; readonly answer: AccessAnswer }
  /** This principal lost its rights: its publications and readers end. */
  | { readonly type: 'expel'; readonly principal: string }
  /** From now on this path is a camera that we call. Again with another order: that one counts. */
  | { readonly type: 'pull'; readonly path: string; readonly order: PullOrder }
  | { readonly type: 'unpull'; readonly path: string }
  /** From now on this path is live on another node: it is relayed while somebody reads it here. Again with another node: that one counts. */
  | { readonly type: 'relay'; readonly path: string; readonly node: string }
  | { readonly type: 'unrelay'; readonly path: string }
  | { readonly type: 'relay-route'; readonly id: number; readonly route: RelayRoute }
  /** Publish this path of ours there, until that side ends it or we are told to. Answered by `pushed`. */
  | { readonly type: 'push'; readonly id: string; readonly path: string; readonly url: string }
  | { readonly type: 'unpush'; readonly id: string }
  /** Whoever publishes there has come to another node meanwhile. */
  | { readonly type: 'end-publication'; readonly path: string }

/** How a path that is live on another node comes here. */
export type RelayRoute =
  /** We read it there; the address has a token that is good for a moment. */
  | { readonly kind: 'pull'; readonly url: string }
  /** The other node has been asked to publish it here. */
  | { readonly kind: 'push' }
  | { readonly kind: 'none'; readonly sentence: string }

/** A camera to be called, and its stream published under a path. */
export interface PullOrder {
  readonly url: string
  /** To publish to the path with. */
  readonly token: string
  /** Which addresses may be dialled, whatever the camera's name leads to or the camera redirects us to. */
  readonly outbound: OutboundRules
  /** Always connected, or while somebody reads it. */
  readonly mode: 'always' | 'on-demand'
  /** A camera that is silent for longer is lost. */
  readonly silenceMs: number
}

/** How it goes with a camera that we call. `idle`: nobody needs it now. */
export type PullState =
  { readonly state: 'idle' | 'connecting' | 'connected' } | { readonly state: 'lost'; readonly sentence: string }

export type AccessAnswer =
  { readonly access: Access } | { readonly refusal: { readonly reason: RefusalReason; readonly sentence: string } }

export interface AccessQuestion {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly request: AccessRequest
  /** It was admitted before and stays: attempts that failed meanwhile do not count. */
  readonly isAgain?: boolean
}

export type FromMediaServer =
  | { readonly type: 'listening'; readonly ports: MediaPorts }
  | { readonly type: 'not-listening'; readonly sentence: string }
  | { readonly type: 'authorize'; readonly id: number; readonly question: AccessQuestion }
  | {
      readonly type: 'live'
      readonly path: string
      readonly protocol: Protocol
      /** As whom it is published. */
      readonly principal: string
      readonly video: LiveVideo | undefined
    }
  | { readonly type: 'gone'; readonly path: string; readonly reason: EndReason }
  /** A publisher was admitted, and has never been live. */
  | { readonly type: 'unused'; readonly path: string }
  /** How does this path come here? `failure`: why the way that was named before leads nowhere. */
  | { readonly type: 'relay-route'; readonly id: number; readonly path: string; readonly failure?: string | undefined }
  /** It flows, or `failure` says why not. */
  | { readonly type: 'pushed'; readonly id: string; readonly failure?: string }
  | { readonly type: 'pull-state'; readonly path: string; readonly state: PullState }
  /** Every second, where video came since the last: all such paths, and how long ago the last packet of each came. */
  | { readonly type: 'video-times'; readonly paths: readonly { readonly path: string; readonly agoMs: number }[] }

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
  /** With FFmpeg's own message, for the log. */
  | { readonly type: 'failed'; readonly sentence: string; readonly ffmpegMessage?: string | undefined }

/** What is known of a stream's picture once it has been opened. */
export interface OpenedVideo {
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly hasBFrames: boolean
}

/** To a recording's process: keep the stream at `url` in files below `folder`. */
export interface RecordRequest {
  readonly url: string
  readonly folder: string
  readonly segmentSeconds: number
  /** How long the stream has been live: no more of it can arrive at once. */
  readonly liveForMs: number
}

export type ToRecorder = RecordRequest
export type FromRecorder =
  | { readonly type: 'opened'; readonly video: OpenedVideo }
  | {
      readonly type: 'segment-started'
      readonly file: string
      readonly startedAtMs: number
      /** When it was, by `machineSteadyMs`: this may be read late. */
      readonly steadyMs: number
    }
  | { readonly type: 'segment-grown'; readonly file: string; readonly sizeBytes: number }
  | {
      readonly type: 'segment-ended'
      readonly file: string
      /** As is known by now. */
      readonly startedAtMs: number
      readonly durationMs: number
      readonly sizeBytes: number
      /** Null where the file can't be cut. */
      readonly index: FragmentIndex | null
    }
  /** The stream has ended; everything is written. */
  | { readonly type: 'ended'; readonly sentence: string | undefined }

/** To the WebRTC gateway's process. */
export interface WebrtcOptions {
  readonly host: string
  /** One UDP port for all; 0 means any free one. */
  readonly port: number
  /** Addresses or names by which browsers reach this machine through a NAT. */
  readonly advertisedHosts: readonly string[]
  readonly stunServers: readonly string[]
  /** The addresses that browsers may have us send packets to, when they announce them as their own. */
  readonly outbound: OutboundRules
}

/** Browsers' offers have a few thousand bytes. */
export const MAX_OFFER_BYTES = 64 * 1024

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
  | 'offer-invalid'
  | 'cannot-carry'
  | 'not-live'
  | 'path-in-use'
  | 'limit-reached'
  | 'full'
  | 'not-listening'
  | 'unavailable'

export type ToWebrtc =
  | { readonly type: 'start'; readonly options: WebrtcOptions }
  | { readonly type: 'offer'; readonly offer: WebrtcOffer }
  | { readonly type: 'end'; readonly id: string; readonly reason: string }

export type FromWebrtc =
  | { readonly type: 'answer'; readonly id: string; readonly sdp: string }
  | { readonly type: 'refused'; readonly id: string; readonly reason: WebrtcRefusalReason; readonly sentence: string }
  /** A port cannot be opened: what is not possible without it, and what to do. */
  | { readonly type: 'not-listening'; readonly sentence: string }
  /** A session that had been answered is over. */
  | { readonly type: 'ended'; readonly id: string; readonly reason: string }

/** To an HLS worker: serve the stream at `url` on the unix socket `socketPath`. */
export interface HlsRequest {
  readonly url: string
  readonly socketPath: string
  /** The media sequence number of its first segment; never smaller than an earlier worker's for the same path. */
  readonly firstSequence: number
}

export type ToHls = HlsRequest
export type FromHls =
  /** The first segment is ready, and playlists can be requested. */
  | { readonly type: 'listening' }
  /** The stream has ended; what was listed can still be fetched for a moment. */
  | { readonly type: 'over' }
  /** Nothing can be fetched any more. With FFmpeg's own message, for the log. */
  | { readonly type: 'ended'; readonly sentence: string | undefined; readonly ffmpegMessage?: string | undefined }
