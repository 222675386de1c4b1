import { type Process } from '../../src/processes/process.ts'

export function buildProcess(changes: Partial<Process> = {}): Process {
  return {
    id: '01a1ddbc-0000-7000-8000-000000000001',
    accountId: '01a1ddbc-0000-7000-8000-00000000000a',
    sourceId: '01a1ddbc-0000-7000-8000-00000000000b',
    sourceUrl: 'rtsp://127.0.0.1:8554/pilot/front',
    sourceType: 'stream',
    options: { model: 'fast', confidence: null, classes: null, isTracking: true, tiles: '1x1', pace: 'realtime' },
    state: 'starting',
    createdAt: Date.UTC(2026, 0, 1),
    startedAt: null,
    stoppedAt: null,
    stopReason: null,
    error: null,
    restarts: 0,
    lastTrackId: 0,
    consumedSeconds: 0,
    stats: null,
    ...changes,
  }
}
