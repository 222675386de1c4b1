import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScaler } from '../src/pipeline/decode/scaler.ts'
import { createDetector } from '../src/pipeline/detect/detector.ts'
import { createDetectionStages } from '../src/pipeline/detection-stages.ts'
import { type Picture } from '../src/pipeline/picture.ts'
import { createTracker } from '../src/pipeline/track/tracker.ts'
import { aPipelineOrder } from '../test/builders/pipeline-order.ts'
import { decodeClip } from '../test/support/decoded-clip.ts'
import { start } from '../test/support/ffmpeg.ts'
import { type Benchmark, percent, type Row } from './benchmark.ts'
import { demoClip } from './demo-clip.ts'
import { hotaOf } from './hota.ts'
import { type Identified } from './identity-switches.ts'

const MAX_LOSS = 0.5
const WINDOW_WIDTH = 480
const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '2M', '-bf', '0', '-g', '14', '-pix_fmt', 'yuv420p']

/** What cameras send: as it is, from a camera that pans, and mostly standing still under the noise of a sensor. */
const clips: readonly { readonly name: string; readonly filter: string }[] = [
  { name: 'people who walk', filter: 'null' },
  {
    name: 'the same by a camera that pans',
    filter: `crop=${WINDOW_WIDTH}:ih:x='2*trunc((iw-${WINDOW_WIDTH})/4*(1-cos(t/2)))':y=0`,
  },
  { name: 'people who stand still for twelve of every fifteen seconds', filter: standing() },
]

/** Three seconds of walking, then twelve of standing still, again and again, under noise. */
function standing(): string {
  const [walking, all] = [3 * demoClip.fps, 15 * demoClip.fps]
  const chosen = `lt(mod(n\\,${8 * demoClip.fps})\\,${walking})`
  const times = `(floor(N/${walking})*${all}+mod(N\\,${walking}))/${demoClip.fps}/TB`
  return `select='${chosen}',setpts='${times}',fps=${demoClip.fps},noise=alls=3:allf=t`
}

export const stillScenes: Benchmark = {
  name: 'still-scenes',
  title: 'Still scenes',
  about:
    'What is lost where the model is spared pictures in which nothing changes: HOTA of the tracks of the model `fast`, looking at every picture and looking where something changes, against those of the model `accurate`, which looks at every picture. People only.',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-bench-'))
    try {
      const rows: Row[] = []
      for (const [index, { name, filter }] of clips.entries()) {
        const file = join(folder, `${index}.mp4`)
        await start('ffmpeg', ['-y', '-i', demoClip.file, '-vf', filter, ...encoder, file]).finished
        const truth = await watch(file, folder, 'accurate', false)
        const every = await watch(file, folder, 'fast', false)
        const spared = await watch(file, folder, 'fast', true)
        const [before, after] = [hotaOf(truth.tracks, every.tracks), hotaOf(truth.tracks, spared.tracks)]
        rows.push(
          { what: `${name}: pictures that are looked at`, value: percent(spared.looks / every.looks) },
          {
            what: `${name}: HOTA, every picture and where something changes`,
            value: `${before.toFixed(1)}, ${after.toFixed(1)}`,
            goal: `at most ${MAX_LOSS} less`,
            isMet: after >= before - MAX_LOSS,
          },
        )
      }
      return rows
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

interface Watched {
  /** Of every picture, as one who listens knows them: until something else is reported, what was reported last. */
  readonly tracks: readonly (readonly Identified[])[]
  readonly looks: number
}

async function watch(file: string, cacheDir: string, model: string, isSpared: boolean): Promise<Watched> {
  const detector = await createDetector({ model, cacheDir, confidence: 0.1, classes: ['person'] })
  const scaler = createScaler()
  let looks = 0
  // Of files nothing is spared.
  const order = aPipelineOrder(file, cacheDir, isSpared ? { input: { kind: 'hub', path: 'bench/clip' } } : {})
  const stages = createDetectionStages({
    order,
    detector,
    scaler,
    tracker: createTracker(),
    geolocation: null,
    onCameraMotion: () => {},
    beginLook: async (picture) => picture,
    endLook: () => void (looks += 1),
  })
  const reported = new Map<number, readonly Identified[]>()
  const times: number[] = []
  try {
    for await (const picture of stages.run(timed(decodeClip(file), times))) {
      reported.set(picture.timeMs, picture.tracks)
      picture.decoded.release()
    }
  } finally {
    await detector.close()
    scaler.close()
  }
  let known: readonly Identified[] = []
  return { looks, tracks: times.map((timeMs) => (known = reported.get(timeMs) ?? known)) }
}

/** The same, with the times of all of them. */
async function* timed(pictures: AsyncIterable<Picture>, times: number[]): AsyncGenerator<Picture, void, undefined> {
  for await (const picture of pictures) {
    times.push(picture.timeMs)
    yield picture
  }
}
