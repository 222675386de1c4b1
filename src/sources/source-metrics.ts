import { type LastSeen } from '../core/last-seen.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type SourceDirectory } from './source-directory.ts'

/** The figures of streams to which video has come since the service started. */
export function addSourceMetrics(
  metrics: Pick<Metrics, 'addGauge'>,
  directory: Pick<SourceDirectory, 'list'>,
  videoTimes: { find(path: string): LastSeen | null },
): void {
  metrics.addGauge({
    name: 'aerie_source_last_frame_age_seconds',
    help: 'Since video last came from it, also when it is gone.',
    labels: ['source_uuid', 'alias'],
    read: () =>
      directory.list().flatMap(({ id, alias, mediaPath }) => {
        const last = mediaPath === null ? null : videoTimes.find(mediaPath)
        return last ? [{ labels: { source_uuid: id, alias }, value: last.ageMs / 1000 }] : []
      }),
  })
}
