/**
 * The Content-Security-Policy of the console: nothing runs or is styled that we did not send, nothing is loaded from elsewhere but
 * the map's tiles, where the operator has named a server for them. hls.js makes its video and worker from blobs.
 */
export function consolePolicy(mapTilesUrl: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    ["img-src 'self' data: blob:", ...(mapTilesUrl ? [tileOrigin(mapTilesUrl)] : [])].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** `https://{s}.tiles.example.org/{z}/{x}/{y}.png` → `https://*.tiles.example.org` */
function tileOrigin(template: string): string {
  const [, origin = ''] = /^(https?:\/\/[^/]+)/.exec(template) ?? []
  return origin.replace('{s}', '*')
}
