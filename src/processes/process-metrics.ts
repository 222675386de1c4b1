import { liveStates } from '../core/process-facts.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Process } from './process.ts'
import { type HealthOf } from './process-health.ts'

type Figure = (process: Process, healthOf: HealthOf) => number | null | undefined

const inSeconds = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : ms / 1000)

const figures: readonly [name: string, help: string, figure: Figure][] = [
  ['restarts', 'How often its worker crashed and was started again.', ({ restarts }) => restarts],
  ['input_fps', 'Pictures a second that come from the source.', ({ stats }) => stats?.inputFps],
  [
    'processed_fps',
    'Pictures a second that are told; of a scene that stands still three to five.',
    ({ stats }) => stats?.processedFps,
  ],
  ['dropped_frames', 'Pictures that a newer one overtook.', ({ stats }) => stats?.droppedFrames],
  [
    'decode_errors',
    'Pieces of the stream that were lost on the way, or could not be decoded.',
    ({ stats }) => stats?.decodeErrors,
  ],
  ['inference_ms_p50', 'Time that the model takes, half of the pictures.', ({ stats }) => stats?.inferenceMs.p50],
  ['inference_ms_p95', 'Time that the model takes, 95 % of the pictures.', ({ stats }) => stats?.inferenceMs.p95],
  ['latency_ms_p50', 'From arrival to detections, half of the pictures.', ({ stats }) => stats?.latencyMs.p50],
  ['latency_ms_p95', 'From arrival to detections, 95 % of the pictures.', ({ stats }) => stats?.latencyMs.p95],
  ['latency_ms_p99', 'From arrival to detections, 99 % of the pictures.', ({ stats }) => stats?.latencyMs.p99],
  [
    'last_frame_age_seconds',
    'Since its last picture.',
    (process, healthOf) => inSeconds(healthOf(process).lastFrameAgeMs),
  ],
  [
    'last_telemetry_age_seconds',
    'Since its last good message of telemetry.',
    (process, healthOf) => inSeconds(healthOf(process).lastTelemetry?.ageMs),
  ],
  [
    'problem',
    '1 while something is wrong with it; its information says what.',
    (process, healthOf) => (healthOf(process).problem ? 1 : 0),
  ],
]

export interface ProcessMetricsDeps {
  readonly metrics: Pick<Metrics, 'addGauge'>
  readonly listProcesses: () => readonly Process[]
  /** Of a source; undefined when it is no more. */
  readonly aliasOf: (sourceId: string) => string | undefined
  readonly healthOf: HealthOf
}

/** The figures of the processes that live now; their number is bounded by the keys' limits. */
export function addProcessMetrics({ metrics, listProcesses, aliasOf, healthOf }: ProcessMetricsDeps): void {
  metrics.addGauge({
    name: 'aerie_processes',
    help: 'Processes that have not ended.',
    labels: ['state'],
    read: () =>
      liveStates.map((state) => {
        return { labels: { state }, value: listProcesses().filter((process) => process.state === state).length }
      }),
  })
  for (const [name, help, figure] of figures) {
    metrics.addGauge({
      name: `aerie_process_${name}`,
      help,
      labels: ['process_uuid', 'alias'],
      read: () =>
        listProcesses().flatMap((process) => {
          const value = figure(process, healthOf) ?? null
          const labels = { process_uuid: process.id, alias: aliasOf(process.sourceId) ?? '' }
          return value === null ? [] : [{ labels, value }]
        }),
    })
  }
}
