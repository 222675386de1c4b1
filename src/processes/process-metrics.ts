import { liveStates } from '../core/process-states.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type Process } from './process.ts'
import { type HealthOf, type ProcessHealth } from './process-health.ts'

/** A live process, and how it goes with it. */
interface MeasuredProcess {
  readonly process: Process
  /** Of its source. */
  readonly alias: string
  readonly health: ProcessHealth
}

type Figure = (measured: MeasuredProcess) => number | null | undefined

const inSeconds = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : ms / 1000)

const figures: readonly [name: string, help: string, figure: Figure][] = [
  ['restarts', 'How often its worker crashed and was started again.', ({ process }) => process.restarts],
  ['input_fps', 'Pictures a second that come from the source.', ({ process }) => process.stats?.inputFps],
  ['processed_fps', 'Pictures a second that are looked at.', ({ process }) => process.stats?.processedFps],
  ['dropped_frames', 'Pictures that a newer one overtook.', ({ process }) => process.stats?.droppedFrames],
  ['decode_errors', 'Pieces of the stream that could not be decoded.', ({ process }) => process.stats?.decodeErrors],
  ['inference_ms_p50', 'Time that the model takes, half of the pictures.', (one) => one.process.stats?.inferenceMs.p50],
  ['inference_ms_p95', 'Time that the model takes, 95 % of the pictures.', (one) => one.process.stats?.inferenceMs.p95],
  ['latency_ms_p50', 'From arrival to detections, half of the pictures.', (one) => one.process.stats?.latencyMs.p50],
  ['latency_ms_p95', 'From arrival to detections, 95 % of the pictures.', (one) => one.process.stats?.latencyMs.p95],
  ['last_frame_age_seconds', 'Since its last picture.', ({ health }) => inSeconds(health.lastFrameAgeMs)],
  [
    'last_telemetry_age_seconds',
    'Since its last good message of telemetry.',
    ({ health }) => inSeconds(health.lastTelemetry?.ageMs),
  ],
  [
    'problem',
    '1 while something is wrong with it; its information says what.',
    ({ health }) => (health.problem ? 1 : 0),
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
  const list = (): MeasuredProcess[] =>
    listProcesses().map((process) => {
      return { process, alias: aliasOf(process.sourceId) ?? '', health: healthOf(process) }
    })
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
        list().flatMap((measured) => {
          const { process, alias } = measured
          const value = figure(measured) ?? null
          return value === null ? [] : [{ labels: { process_uuid: process.id, alias }, value }]
        }),
    })
  }
}
