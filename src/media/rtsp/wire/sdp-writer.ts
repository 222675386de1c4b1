import { trimEndSlashes } from '../../../core/url-text.ts'
import { type MediaTrack, type StreamDescription } from '../../stream.ts'
import { currentFmtp } from './fmtp.ts'

/** What a track is called in the URLs of readers. */
export const controlOf = (index: number) => `trackID=${index}`

/** Describes to a reader what it will get (RFC 8866, RFC 2326 appendix C). Addresses are zero: SETUP agrees on them. */
export function writeSdp({ tracks }: StreamDescription): string {
  const lines = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=Aerie', 'c=IN IP4 0.0.0.0', 't=0 0', 'a=control:*']
  for (const [index, track] of tracks.entries()) lines.push(...section(track, index))
  return `${lines.join('\r\n')}\r\n`
}

function section(track: MediaTrack, index: number): string[] {
  const { kind, payloadType, encodingName, clockRate, channels } = track
  const fmtp = currentFmtp(track)
  return [
    `m=${kind === 'data' ? 'application' : kind} 0 RTP/AVP ${payloadType}`,
    // A published name may be missing; whatever it is, it must not begin a line of its own.
    ...(encodingName ? [`a=rtpmap:${payloadType} ${encodingName}/${clockRate}${channels ? `/${channels}` : ''}`] : []),
    ...(fmtp ? [`a=fmtp:${payloadType} ${fmtp}`] : []),
    `a=control:${controlOf(index)}`,
  ]
}

/**
 * The URL of a track: its control, absolute or below the stream's (RFC 2326 §C.1.1). It stands behind a query too: that is
 * where cameras expect it, and our own server understands both.
 */
export function trackUrl(streamUrl: string, control: string | undefined): string {
  if (!control || control === '*') return streamUrl
  if (/^rtsps?:\/\//i.test(control)) return control
  if (control.startsWith('?')) return `${streamUrl}${control}`
  return `${trimEndSlashes(streamUrl)}/${control.replace(/^\//, '')}`
}
