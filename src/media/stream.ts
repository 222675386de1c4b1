import { type VideoCodec } from '../core/video-codec.ts'

/**
 * What flows through the media server. RTP packets are the one currency: RTSP moves them as they are, and
 * RTMP turns its tags into them and back, so every protocol can read what any other published.
 */

export type Codec = VideoCodec | 'aac' | 'opus' | 'pcma' | 'pcmu' | 'other'

/** One elementary stream, with what an SDP media section describes (RFC 8866). */
export interface MediaTrack {
  readonly kind: 'video' | 'audio' | 'data'
  readonly codec: Codec
  readonly payloadType: number
  /** RTP clock ticks a second. */
  readonly clockRate: number
  /** `a=rtpmap` encoding name as published: `H264`, `MPEG4-GENERIC`… */
  readonly encodingName: string
  readonly channels?: number
  /** The parameters of `a=fmtp`, verbatim, without the payload type. */
  readonly fmtp?: string
  /** Parameter sets known so far, without start codes: SPS, PPS (and VPS first for H.265). */
  readonly parameterSets?: readonly Buffer[]
}

/** Of a codec that can be decoded here. */
export type VideoTrack = MediaTrack & { readonly codec: VideoCodec }

export interface StreamDescription {
  readonly tracks: readonly MediaTrack[]
}

export interface MediaPacket {
  /** Index into the description's tracks. */
  readonly track: number
  /** The whole RTP packet; never changed after it was written, because all readers share it. */
  readonly data: Buffer
  /** RTP timestamp, in the track's clock. */
  readonly timestamp: number
  /** The last packet of an access unit, for video. */
  readonly marker: boolean
  /** The first packet of an access unit from which decoding can begin. */
  readonly startsKeyframe: boolean
  /** On the hub's steady clock. */
  readonly receivedAtMs: number
}

/** An RTCP sender report's pair: this RTP timestamp was this wall-clock time. */
export interface SenderReport {
  readonly track: number
  readonly timestamp: number
  readonly wallClockMs: number
}
