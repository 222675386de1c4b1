import { type Source } from '../../src/sources/source.ts'

let made = 0

/** A stream on our own media server, unless said otherwise. */
export function aSource(change: Partial<Source> = {}): Source {
  made += 1
  const id = change.id ?? `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`
  return {
    id,
    accountId: 'account',
    alias: 'cam',
    type: 'stream',
    inputUrl: 'rtsp://localhost:8554/admin/cam',
    streamType: 'rtsp',
    telemetryCfg: null,
    mediaPath: 'admin/cam',
    isPulled: false,
    recordingMode: 'always',
    recordingClasses: null,
    sizeBytes: 0,
    video: null,
    fingerprint: id,
    createdAt: 0,
    contentSha256: null,
    file: null,
    ...change,
  }
}

/** A video file that an account has uploaded. */
export function aFile(accountId: string, file: string, sizeBytes: number): Source {
  return aSource({
    accountId,
    type: 'file',
    inputUrl: 'film.mp4',
    streamType: null,
    mediaPath: null,
    sizeBytes,
    contentSha256: `sha of ${file}`,
    file,
  })
}
