import { type Metrics } from '../observe/metrics.ts'
import { type ListedSource, type SourceHealth } from './source.ts'
import { type SourceDirectory } from './source-directory.ts'

type Figure = (health: SourceHealth) => number | null

const inSeconds = (ms: number | undefined) => (ms === undefined ? null : ms / 1000)

const figures: readonly [name: string, help: string, figure: Figure][] = [
  [
    'last_frame_age_seconds',
    'Since video last came from it, also when it is gone.',
    ({ lastFrame }) => inSeconds(lastFrame?.ageMs),
  ],
  [
    'last_telemetry_age_seconds',
    'Since one of its processes last got a good message of telemetry.',
    ({ lastTelemetry }) => inSeconds(lastTelemetry?.ageMs),
  ],
  [
    'problem',
    '1 while something is wrong with a stream; its record says what.',
    ({ connection, problem }) => (connection === null ? null : problem === null ? 0 : 1),
  ],
]

/** The figures of sources, with or without a process. */
export function addSourceMetrics(
  metrics: Pick<Metrics, 'addGauge'>,
  directory: Pick<SourceDirectory, 'list'>,
  healthOf: (source: ListedSource) => SourceHealth,
): void {
  for (const [name, help, figure] of figures)
    metrics.addGauge({
      name: `aerie_source_${name}`,
      help,
      labels: ['source_uuid', 'alias'],
      read: () =>
        directory.list().flatMap((source) => {
          const value = figure(healthOf(source))
          return value === null ? [] : [{ labels: { source_uuid: source.id, alias: source.alias }, value }]
        }),
    })
}
