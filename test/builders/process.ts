import { type Scene } from '../../src/core/scene.ts'
import { type Process } from '../../src/processes/process.ts'

let made = 0

/** A process on a live stream that was just started, unless said otherwise. */
export function aProcess(change: Partial<Process> = {}): Process {
  made += 1
  return {
    id: `00000000-0000-7000-8000-${String(made).padStart(12, '0')}`,
    accountId: 'account',
    sourceId: '00000000-0000-7000-9000-000000000000',
    sourceUrl: 'rtsp://localhost:8554/admin/cam',
    sourceType: 'stream',
    options: {
      model: 'fast',
      confidence: null,
      classes: null,
      isTracking: true,
      tiles: '1x1',
      pace: 'realtime',
      isRecorded: false,
      isReported: false,
    },
    state: 'starting',
    createdAt: 0,
    startedAt: null,
    stoppedAt: null,
    stopReason: null,
    error: null,
    restarts: 0,
    lastTrackId: 0,
    consumedMs: 0,
    stats: null,
    ...change,
  }
}

/** A frame in which these tracks were seen. */
export function aScene({ ids = [], ptsSeconds = 0 }: { ids?: readonly number[]; ptsSeconds?: number } = {}): Scene {
  return {
    takenAtMs: Date.UTC(2026, 0, 1),
    frame: { width: 200, height: 100, ptsSeconds, rtpTimestamp: null },
    tracks: ids.map((id) => ({
      id,
      classId: 1,
      className: 'person',
      box: { x: 20, y: 10, width: 50, height: 40 },
      confidence: 0.5,
    })),
  }
}
