import { type FragmentIndex, type RecordedFile } from '../../src/core/recorded-time.ts'

/** Keyframes every two seconds, each with a kilobyte behind it. */
export function aFragmentIndex(durationMs = 10_000): FragmentIndex {
  const groups = Array.from({ length: Math.max(1, Math.ceil(durationMs / 2_000)) }, (_, at) => {
    return { ms: at * 2_000, byte: 1_000 + at * 1_000 }
  })
  return {
    init: 900,
    initHash: '0123456789abcdef',
    codecs: 'avc1.64001f',
    width: 640,
    height: 360,
    tracks: [{ id: 1, kind: 'video', timescale: 90_000 }],
    groups,
    end: 1_000 + groups.length * 1_000,
    mediaMs: durationMs,
  }
}

export function aRecordedFile(change: Partial<RecordedFile> = {}): RecordedFile {
  const id = change.id ?? 'file'
  const index = aFragmentIndex(change.durationMs ?? undefined)
  return {
    id,
    recordingId: 'recording',
    accountId: 'ann',
    sourceId: 'cam',
    file: `recordings/cam/recording/${id}.mp4`,
    nodeId: null,
    startedAt: 0,
    durationMs: 10_000,
    sizeBytes: index.end,
    gapMs: null,
    index,
    ...change,
  }
}
