import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aPipelineOrder } from '../../test/builders/pipeline-order.ts'
import { decodeClip } from '../../test/support/decoded-clip.ts'
import { start } from '../../test/support/ffmpeg.ts'
import { clip } from '../../test/support/process-rig.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { type Box, intersectionOverUnion } from '../core/detection.ts'
import { createScaler } from './decode/scaler.ts'
import { createDetector } from './detect/detector.ts'
import { createDetectionStages } from './detection-stages.ts'
import { createTracker } from './track/tracker.ts'

const folder = useTemporaryFolder('aerie-stages-')

const CHANGE_MS = 13_000
const FOUND_WITHIN_MS = 300
/** A woman on the grass, in one picture of the clip. */
const person = { x: 68, y: 260, width: 60, height: 120 }
const SPEED = 60

interface Sighting {
  readonly timeMs: number
  readonly boxes: readonly Box[]
}

/** One picture of the clip for a while, under the noise of a sensor, with a person of it a second time. */
async function film(overlay: string): Promise<string> {
  const file = join(folder(), 'still.mp4')
  const { x, y, width, height } = person
  const still = `select=eq(n\\,80),loop=-1:1:0,setpts=N/15/TB,split[a][b]`
  const pasted = `[b]crop=${width}:${height}:${x}:${y}[person];[a][person]overlay=${overlay}`
  const graph = `${still};${pasted},noise=alls=3:allf=t`
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '15', '-pix_fmt', 'yuv420p']
  await start('ffmpeg', ['-y', '-i', clip, '-filter_complex', graph, '-r', '15', '-t', '14.5', ...encoder, file])
    .finished
  return file
}

interface Watched {
  readonly sightings: readonly Sighting[]
  /** How often the model looked in the last two seconds before the change. */
  readonly looksWhileStill: number
}

async function watch(file: string): Promise<Watched> {
  const detector = await createDetector({ model: 'fast', cacheDir: folder(), confidence: 0.1, classes: ['person'] })
  const scaler = createScaler()
  const lookedAtMs: number[] = []
  const stages = createDetectionStages({
    order: aPipelineOrder(file, folder(), { input: { kind: 'hub', path: 'admin/still' } }),
    detector,
    scaler,
    tracker: createTracker(),
    geolocation: null,
    onCameraMotion: () => {},
    async beginLook(picture) {
      lookedAtMs.push(picture.timeMs)
      return picture
    },
    endLook: () => {},
  })
  const sightings: Sighting[] = []
  try {
    for await (const { timeMs, tracks, decoded } of stages.run(decodeClip(file))) {
      sightings.push({ timeMs, boxes: tracks.map(({ box }) => box) })
      decoded.release()
    }
  } finally {
    await detector.close()
    scaler.close()
  }
  const isStill = (timeMs: number) => timeMs > CHANGE_MS - 2_000 && timeMs < CHANGE_MS
  return { sightings, looksWhileStill: lookedAtMs.filter(isStill).length }
}

/** She does not fill the piece that was cut out. */
const isAt = ({ x, y, width, height }: Box, boxes: readonly Box[]) =>
  boxes.some(
    (box) => intersectionOverUnion(box, { x: x + 10, y: y + 10, width: width - 19, height: height - 20 }) > 0.7,
  )

test.each([
  ['enters', `200:420:enable='gte(t,${CHANGE_MS / 1000})'`, 0],
  ['begins to walk', `x='200+${SPEED}*max(0,t-${CHANGE_MS / 1000})':y=420`, SPEED],
])('who %s where everything stood still is found within 300 ms', async (_name, overlay, speed) => {
  const { sightings, looksWhileStill } = await watch(await film(overlay))
  expect(looksWhileStill).toBeLessThan(5)
  const { timeMs, boxes } = sightings.findLast((one) => one.timeMs <= CHANGE_MS + FOUND_WITHIN_MS)!
  const x = 200 + (speed * (timeMs - CHANGE_MS)) / 1000
  expect(timeMs).toBeGreaterThan(CHANGE_MS + FOUND_WITHIN_MS / 2)
  expect(isAt({ ...person, x, y: 420 }, boxes)).toBe(true)
})
