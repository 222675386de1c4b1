import { type Benchmark } from './benchmark.ts'
import { measureClips } from './clip-cutting.ts'
import { measureLine } from './timeline-line.ts'
import { measureLooks } from './look-sizes.ts'
import { measurePlayback } from './timeline-playback.ts'

export const timeline: Benchmark = {
  name: 'timeline',
  title: 'What happened last night',
  about:
    'What was recorded and seen, looked at afterwards. `GET /source/{source_uuid}/timeline` of a day over HTTP, by one client; what detections take of the disk, computed from an hour of made-up people whose boxes tremble; what it costs to cut a minute of 1080p25 with a keyframe each second out of a recording, from and to the middle of a second; how long whoever looks back waits for the first picture of an hour, and of the whole day, of 720p25 in headless Chromium (one recorded minute, linked 1,440 times).',
  run: async () => [
    ...measureLooks(),
    ...(await measureLine()),
    ...(await measureClips()),
    ...(await measurePlayback()),
  ],
}
