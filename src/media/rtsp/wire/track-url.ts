import { trimEndSlashes } from '../../../core/trim-slashes.ts'

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
