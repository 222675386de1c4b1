import { type Clip } from '../../src/clips/clip.ts'
import { orderedUuid } from '../../src/core/ordered-uuid.ts'

/** Of ten seconds, to be cut. */
export function aClip(change: Partial<Clip> = {}): Clip {
  return {
    id: orderedUuid(),
    accountId: 'ann',
    sourceId: 'cam',
    processId: null,
    trackId: null,
    eventId: null,
    alias: 'the gate',
    kind: 'user',
    uniqueKey: null,
    from: 10_000,
    to: 20_000,
    withBoxes: false,
    state: 'waiting',
    progress: 0,
    error: null,
    note: null,
    parts: [],
    gaps: [],
    sizeBytes: 1_000,
    nodeId: null,
    attempts: 0,
    createdAt: 30_000,
    startedAt: null,
    finishedAt: null,
    usedAt: null,
    ...change,
  }
}

export function aClipPart(change: Partial<Clip['parts'][number]> = {}): Clip['parts'][number] {
  const video = { codec: 'h264', width: 640, height: 360, fps: 25 }
  return { from: 10_000, to: 20_000, durationMs: 10_000, sizeBytes: 700, sha256: 'ab'.repeat(32), video, ...change }
}
