import { type SourceRecord } from '@aerie/client'
import { isH265 } from '../codec.ts'

/** By which ways this browser can have a source's video. */
export interface Ways {
  readonly isByWebRtc: boolean
  readonly isByHls: boolean
}

/**
 * To ask for what can't be had would only be refused, or waited for in vain. What isn't known is tried; what is known is what
 * the recorder saw last.
 */
export function waysOf(video: SourceRecord['video']): Ways {
  const isHard = isH265(video?.codec)
  return { isByWebRtc: !video?.has_b_frames && (!isHard || hasH265ByWebRtc()), isByHls: !isHard || hasH265ByHls() }
}

function hasH265ByWebRtc(): boolean {
  const codecs = globalThis.RTCRtpReceiver?.getCapabilities('video')?.codecs ?? []
  return codecs.some(({ mimeType }) => mimeType.toLowerCase() === 'video/h265')
}

function hasH265ByHls(): boolean {
  // Safari on telephones has only the managed one.
  const { MediaSource: full, ManagedMediaSource: managed } = globalThis as {
    MediaSource?: typeof MediaSource
    ManagedMediaSource?: typeof MediaSource
  }
  return (full ?? managed)?.isTypeSupported('video/mp4; codecs="hvc1.1.6.L93.B0"') ?? false
}
