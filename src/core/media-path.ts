import { trimSlashes } from './url-text.ts'

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/
const MAX_LENGTH = 200

/**
 * The name of a stream on the media server: `<username>/<stream_path>`, at least two segments of letters, digits
 * and `._~-`. Names become folders of recordings and parts of URLs, so nothing else gets through; undefined then.
 */
export function toMediaPath(raw: string): string | undefined {
  const path = trimSlashes(raw)
  if (path.length > MAX_LENGTH) return undefined
  const segments = path.split('/')
  return segments.length >= 2 && segments.every((segment) => SEGMENT.test(segment)) ? path : undefined
}

/** The username with which a path begins: whose stream it is, no matter who publishes or reads it. */
export function ownerOfPath(path: string): string {
  return path.slice(0, path.indexOf('/'))
}

/** The last segment of a path that only the service itself publishes to: the small picture of the stream before it. */
const PREVIEW = '/~preview'

/** The stream whose preview this path is; undefined for others. */
export function streamOfPreview(path: string): string | undefined {
  return path.endsWith(PREVIEW) ? path.slice(0, -PREVIEW.length) : undefined
}

/** Where a live path is watched in a browser, below the address of the service. */
export const hlsUrl = (baseUrl: string, mediaPath: string) => `${baseUrl}/hls/${mediaPath}/index.m3u8`

/** What was recorded of it, as one stream; `from` and `to` say when. */
export const vodUrl = (baseUrl: string, mediaPath: string) => `${baseUrl}/hls/${mediaPath}/vod.m3u8`

/** A page that plays it; WHEP and WHIP are below it. */
export const webrtcUrl = (baseUrl: string, mediaPath: string) => `${baseUrl}/webrtc/${mediaPath}`
