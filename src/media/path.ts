import { toMediaPath } from '../core/media-path.ts'
import { MediaRefusal } from './refusal.ts'

/** The stream that a client names, or a refusal that says what names look like. */
export function parsePath(raw: string): string {
  const path = toMediaPath(raw)
  if (path) return path
  throw new MediaRefusal('path-invalid', 'A stream path is <username>/<name>, of letters, digits and ._~- only.')
}
