import { MediaRefusal } from './refusal.ts'

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/
const MAX_LENGTH = 200

/**
 * The name of a stream: `<username>/<stream_path>`, at least two segments of letters, digits and `._~-`.
 * Names become file names of recordings and parts of URLs, so nothing else gets through.
 */
export function parsePath(raw: string): string {
  const path = raw.replace(/^\/+|\/+$/g, '')
  const segments = path.split('/')
  if (path.length > MAX_LENGTH || segments.length < 2 || !segments.every((segment) => SEGMENT.test(segment))) {
    throw new MediaRefusal('path-invalid', 'A stream path is <username>/<name>, of letters, digits and ._~- only.')
  }
  return path
}
