import { type Scene } from '../../src/core/scene.ts'
import { type PipelineReport, type PipelineStats, type ToWorker } from '../../src/pipeline/messages.ts'
import { type LaunchWorker, type WorkerEvents } from '../../src/processes/pipeline-worker.ts'
import { type Process } from '../../src/processes/process.ts'
import { type ProcessHealth } from '../../src/processes/process-health.ts'
import { type ProcessSource } from '../../src/processes/process-source.ts'

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
      begins: 'now',
      priority: 'normal',
      labels: [],
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

/** The figures of a worker that keeps up. */
export function aStats(change: Partial<PipelineStats> = {}): PipelineStats {
  const times = { p50: 1, p95: 2, p99: 3 }
  return {
    inputFps: 25,
    processedFps: 25,
    droppedFrames: 0,
    decodeErrors: 0,
    inferenceMs: times,
    latencyMs: times,
    ...change,
  }
}

/** Workers that do nothing by themselves: what they are sent is kept, and the test says what they send. */
export function createFakeWorkers() {
  const sent: ToWorker['type'][] = []
  let current!: WorkerEvents
  let launches = 0
  let isStopped = false
  const launch: LaunchWorker = (_process, events) => {
    current = events
    launches += 1
    events.order()
    return {
      send: ({ type }) => void sent.push(type),
      relaunch: async () => void events.order(),
      stop: async () => void (isStopped = true),
    }
  }
  return {
    launch,
    sent,
    receive: (...messages: PipelineReport[]) => messages.forEach((message) => current.onMessage(message)),
    crash: (verdict: 'restart' | 'give-up' = 'restart', sentence?: string) => current.onCrash(verdict, sentence),
    reorder: () => current.order(),
    launches: () => launches,
    isStopped: () => isStopped,
  }
}

/** A camera elsewhere, as processes know it. */
export const cameraSource: ProcessSource = {
  accountId: 'a',
  id: 's',
  type: 'stream',
  inputUrl: 'rtsp://camera',
  telemetryCfg: null,
}

/** Of a process with which all goes well, and of which nothing was seen yet. */
export function aHealth(change: Partial<ProcessHealth> = {}): ProcessHealth {
  return {
    lastFrameAtMs: null,
    lastFrameAgeMs: null,
    lastTelemetry: null,
    telemetryError: null,
    hasOldTelemetry: false,
    problem: null,
    ...change,
  }
}
