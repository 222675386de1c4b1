import { streamOfPreview, toMediaPath } from '../../core/media-path.ts'
import { trimEndSlashes } from '../../core/url-text.ts'
import { type OutputKind } from './output-kind.ts'

const PREFIX = 'rtsp://'

/** Published to our own media server, for any number of viewers. */
export const rtsp = {
  type: 'rtsp',
  needsTelemetry: false,
  video: {
    example: 'rtsp://yard/gate',
    description:
      '`rtsp://<stream_path>`, which is then served at rtsp://<host>:8554/<username>/<stream_path>, and with a certificate at rtsps://<host>:8322/<username>/<stream_path> too',
    problemWith,
    // `rtsp://yard/` and `rtsp://yard` are one place.
    normalize: trimEndSlashes,
    mediaPathOf: (username, url) => toMediaPath(`${username}/${url.slice(PREFIX.length)}`),
    hostOf: () => null,
    targetOf: ({ mediaPath }) => ({ kind: 'hub', path: mediaPath! }),
  },
} as const satisfies OutputKind

function problemWith(url: string): string | undefined {
  if (!url.startsWith(PREFIX)) return 'Write a path behind rtsp://, as in rtsp://yard/gate.'
  const streamPath = url.slice(PREFIX.length)
  if (/[:@]/.test(streamPath))
    return 'Write only a path behind rtsp://, no host and no port, as in rtsp://yard/gate: the service serves it itself.'
  if (/^(localhost|\d{1,3}(\.\d{1,3}){3})(\/|$)/.test(streamPath))
    return 'Write only a path behind rtsp://, no host, as in rtsp://yard/gate: the service serves it itself.'
  // The username that will stand before it is made of the same letters.
  if (toMediaPath(`x/${streamPath}`) === undefined)
    return 'Write a path of letters, digits and ._~- only, as in rtsp://yard/gate.'
  if (streamOfPreview(streamPath) !== undefined)
    return 'It ends with ~preview, which is for the previews that the service makes; choose another path.'
  return undefined
}
