import { type MediaTrack } from '../../stream.ts'
import { RtspClientError } from './client-error.ts'
import { type Headers, type RtspResponse } from '../wire/message.ts'
import { withoutControls } from './rtsp-target.ts'
import { parseServedSdp } from '../wire/sdp-parser.ts'
import { trackUrl } from '../wire/sdp-writer.ts'

/** What a server described, with the URLs by which to request it. */
export interface ServedStream {
  /** Of the whole: for PLAY. */
  readonly url: string
  readonly tracks: readonly ServedTrack[]
}

export interface ServedTrack {
  readonly track: MediaTrack
  /** For SETUP. Its host may be another than ours: it is sent to the server that we are connected to, and never dialled. */
  readonly url: string
}

export function readServedStream(requestUrl: string, { headers, body }: RtspResponse): ServedStream {
  const { control, tracks } = parseServedSdp(body.toString('utf8'))
  if (tracks.length === 0) throw new RtspClientError('no-answer', 'The description has no media in it.')
  const base = baseOf(headers) ?? requestUrl
  const url = withoutControls(trackUrl(base, control))
  return {
    url,
    tracks: tracks.map((announced) => ({
      track: announced.track,
      url: withoutControls(trackUrl(url, announced.control)),
    })),
  }
}

/** RFC 2326 §C.1.1; what is no absolute URL is as good as nothing. */
function baseOf(headers: Headers): string | undefined {
  return ['content-base', 'content-location']
    .map((name) => headers.get(name))
    .find((url) => /^rtsps?:\/\//i.test(url ?? ''))
}
