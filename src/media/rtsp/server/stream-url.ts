import { percentDecoded, trimEndSlashes } from '../../../core/url-text.ts'
import { parseUserinfo, type RtspCredentials } from '../wire/userinfo.ts'

/**
 * The parts of a request's URL. Clients build the URL of a track by putting its control behind that of the stream,
 * and many put it behind the query too, so all of these name track 1 of `ada/cam`:
 *
 *   rtsp://host/ada/cam/trackID=1
 *   rtsp://host/ada/cam/trackID=1?token=T
 *   rtsp://host/ada/cam?token=T/trackID=1
 */
export interface StreamUrl {
  /** The stream's path as written, for the hub to judge; empty for `*`. */
  readonly path: string
  /** What names a track below the stream, such as `trackID=1`. */
  readonly control: string | undefined
  readonly query: URLSearchParams
  readonly userinfo: RtspCredentials | undefined
  /** The stream's own URL with a slash behind it, without userinfo and query: what controls are relative to. */
  readonly base: string
}

const WITH_HOST = /^(rtspu?s?):\/\/(?:([^/]*)@)?([^/@]*)(\/.*)?$/is
/** No segment of a stream's path holds `=`, so one that does names a track. */
const CONTROL_AT_END = /\/([^/=?&]+=[^/]*)\/*$/

export function parseStreamUrl(raw: string): StreamUrl {
  const queryAt = raw.indexOf('?')
  const [place, rawQuery] = queryAt < 0 ? [raw, ''] : [raw.slice(0, queryAt), raw.slice(queryAt + 1)]
  const parts = WITH_HOST.exec(place)
  const [, scheme = 'rtsp', userinfo, authority = ''] = parts ?? []
  const rawPath = parts ? (parts[4] ?? '') : place
  const [queryText, controlInQuery] = splitControl(rawQuery)
  const [pathText, controlInPath] = splitControl(rawPath === '*' ? '' : rawPath)
  const path = trimEndSlashes(pathText)
  return {
    path: percentDecoded(path),
    control: controlInPath ?? controlInQuery,
    query: new URLSearchParams(trimEndSlashes(queryText)),
    userinfo: userinfo === undefined ? undefined : parseUserinfo(userinfo),
    base: `${scheme.toLowerCase()}://${authority}${path}/`,
  }
}

function splitControl(text: string): [rest: string, control: string | undefined] {
  const match = CONTROL_AT_END.exec(text)
  return match ? [text.slice(0, match.index), match[1]] : [text, undefined]
}

/**
 * The number of the track that a control names, among those of a description: by the control that its SDP
 * gave it, relative or absolute, and else by the number in `trackID=1`, `streamid=1`, `track1`.
 */
export function findTrack(rawUrl: string, controls: readonly (string | undefined)[]): number | undefined {
  const places = [rawUrl, rawUrl.split('?', 1)[0]!].map(withoutHost)
  const byName = controls.findIndex((control) => {
    if (!control || control === '*') return false
    if (/^rtsps?:\/\//i.test(control)) return places.includes(withoutHost(control))
    return places.some((place) => place.endsWith(`/${trimEndSlashes(control)}`))
  })
  if (byName >= 0) return byName
  const number = /(?:trackid|streamid|track|stream)=?(\d{1,3})$/i.exec(parseStreamUrl(rawUrl).control ?? '')?.[1]
  if (number !== undefined) return Number(number) < controls.length ? Number(number) : undefined
  // A stream of one track may be set up by its own URL.
  return controls.length === 1 ? 0 : undefined
}

const withoutHost = (url: string) => trimEndSlashes(url.replace(/^rtsps?:\/\/[^/?]*/i, ''))
