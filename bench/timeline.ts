import { type Benchmark } from './benchmark.ts'
import { measureLine } from './timeline-line.ts'
import { measureLooks } from './look-sizes.ts'

export const timeline: Benchmark = {
  name: 'timeline',
  title: 'What happened last night',
  about:
    'What was recorded and seen, looked at afterwards. `GET /source/{source_uuid}/timeline` of a day over HTTP, by one client; what detections take of the disk, computed from an hour of made-up people whose boxes tremble.',
  run: async () => [...measureLooks(), ...(await measureLine())],
}
