import { liveStates } from '../core/process-states.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type PipelineStats } from '../pipeline/messages.ts'
import { type Process } from './process.ts'

type Figure = (stats: PipelineStats) => number | null

const figures: readonly [name: string, help: string, figure: Figure][] = [
  ['aerie_process_input_fps', 'Pictures a second that come from the source.', (stats) => stats.inputFps],
  ['aerie_process_processed_fps', 'Pictures a second that are looked at.', (stats) => stats.processedFps],
  ['aerie_process_dropped_frames', 'Pictures that a newer one overtook.', (stats) => stats.droppedFrames],
  ['aerie_process_decode_errors', 'Pieces of the stream that could not be decoded.', (stats) => stats.decodeErrors],
  ['aerie_process_inference_ms_p50', 'Time that the model takes, half of the pictures.', (s) => s.inferenceMs.p50],
  ['aerie_process_inference_ms_p95', 'Time that the model takes, 95 % of the pictures.', (s) => s.inferenceMs.p95],
  ['aerie_process_latency_ms_p50', 'From arrival to detections, half of the pictures.', (s) => s.latencyMs.p50],
  ['aerie_process_latency_ms_p95', 'From arrival to detections, 95 % of the pictures.', (s) => s.latencyMs.p95],
]

/** The figures of the processes that live now; their number is bounded by the keys' limits. */
export function addProcessMetrics(metrics: Pick<Metrics, 'addGauge'>, list: () => readonly Process[]): void {
  metrics.addGauge({
    name: 'aerie_processes',
    help: 'Processes that have not ended.',
    labels: ['state'],
    read: () =>
      liveStates.map((state) => {
        return { labels: { state }, value: list().filter((process) => process.state === state).length }
      }),
  })
  const labelsOf = ({ id }: Process) => ({ process_uuid: id })
  metrics.addGauge({
    name: 'aerie_process_restarts',
    help: 'How often its worker crashed and was started again.',
    labels: ['process_uuid'],
    read: () => list().map((process) => ({ labels: labelsOf(process), value: process.restarts })),
  })
  for (const [name, help, figure] of figures) {
    metrics.addGauge({
      name,
      help,
      labels: ['process_uuid'],
      read: () =>
        list().flatMap((process) => {
          const value = process.stats && figure(process.stats)
          return value === null ? [] : [{ labels: labelsOf(process), value }]
        }),
    })
  }
}
