const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/
const MAX_LENGTH = 200

/**
 * The name of a stream on the media server: `<username>/<stream_path>`, at least two segments of letters, digits
 * and `._~-`. Names become folders of recordings and parts of URLs, so nothing else gets through; undefined then.
 */
export function toMediaPath(raw: string): string | undefined {
  const path = raw.replace(/^\/+|\/+$/g, '')
  const segments = path.split('/')
  const isPath = path.length <= MAX_LENGTH && segments.length >= 2 && segments.every((segment) => SEGMENT.test(segment))
  return isPath ? path : undefined
}
