import { type OutputKind } from './output-kind.ts'

/** Pushed to a server of the user's. */
export const rtmp = {
  type: 'rtmp',
  needsTelemetry: false,
  video: {
    example: 'rtmp://host:port/app/name',
    description: '`rtmp://<host>:<port>/<stream_path>` of a server of yours',
    problemWith,
    normalize: (url) => url,
    mediaPathOf: () => null,
    hostOf: (url) => new URL(url).hostname,
    targetOf: ({ url }) => ({ kind: 'rtmp', url }),
  },
} as const satisfies OutputKind

function problemWith(url: string): string | undefined {
  if (!/^rtmps?:\/\//.test(url))
    return 'Write an address that begins with rtmp:// or rtmps://, as in rtmp://host:port/app/name.'
  if (!URL.canParse(url)) return 'This is not a URL; write it as in rtmp://host:1935/app/name.'
  const { hostname, pathname } = new URL(url)
  if (!hostname) return 'It names no host; write it as in rtmp://host:port/app/name.'
  if (pathname.split('/').filter(Boolean).length === 0)
    return 'It names no stream; write it as in rtmp://host:port/app/name.'
  return undefined
}
