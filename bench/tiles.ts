import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDroneClip } from '../test/builders/drone-clip.ts'
import { aPipelineOrder } from '../test/builders/pipeline-order.ts'
import { type Telemetry } from '../src/core/telemetry.ts'
import { type FromWorker, type PipelineOrder } from '../src/pipeline/messages.ts'
import { startPipeline } from '../src/pipeline/run.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'
import { demoClip } from './demo-clip.ts'

/** What is looked at: the last seconds of the demo clip, or two seconds of a drawn drone at 1080p, in motion or as a still picture. */
type Clip = 'demo' | 'drone' | 'still'

const FROM_SECONDS = 21
const DRONE_SECONDS = 2

interface Flight {
  readonly name: string
  readonly model: 'overhead' | 'airborne'
  readonly clip: Clip
  readonly tiles: string
  readonly telemetry: Telemetry | null
}

const down = (relAltitudeM: number): Telemetry => ({
  relAltitudeM,
  cameraPitchDeg: -90,
  cameraRollDeg: 0,
  hfovDeg: 70,
  vfovDeg: 55,
})
const level: Telemetry = { relAltitudeM: 100, cameraPitchDeg: 10, cameraRollDeg: 0, hfovDeg: 70, vfovDeg: 55 }

const overhead = { model: 'overhead', clip: 'demo' } as const
const airborne = { model: 'airborne', telemetry: null } as const
const flights: readonly Flight[] = [
  { ...overhead, name: '`tiles=1x1`', tiles: '1x1', telemetry: null },
  { ...overhead, name: '`tiles=2x2`', tiles: '2x2', telemetry: null },
  { ...overhead, name: '`tiles=auto`, nothing known', tiles: 'auto', telemetry: null },
  { ...overhead, name: '`tiles=auto`, 40 m, straight down', tiles: 'auto', telemetry: down(40) },
  { ...overhead, name: '`tiles=auto`, 120 m, straight down', tiles: 'auto', telemetry: down(120) },
  { ...overhead, name: '`tiles=auto`, 100 m, a little upwards: sky is skipped', tiles: 'auto', telemetry: level },
  { ...airborne, clip: 'drone', name: '`airborne` at 1080p, `tiles=1x1`', tiles: '1x1' },
  { ...airborne, clip: 'drone', name: '`airborne` at 1080p, `tiles=auto`', tiles: 'auto' },
  { ...airborne, clip: 'still', name: '`airborne` at 1080p, `tiles=auto`, a still picture', tiles: 'auto' },
]

export const tiles: Benchmark = {
  name: 'tiles',
  title: 'Tiles',
  about: `The last seconds of the demo clip (768×576) with \`overhead\`, or a drawn drone at 1080p with \`airborne\`, and \`pace=fast\`, which leaves the choice to the scale alone: CPU time of all threads for one frame, by what telemetry says. Live processes choose no more tiles than leave two pictures a second.`,
  async run() {
    const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
    try {
      writeDrones(cacheDir)
      const rows: Row[] = []
      for (const flight of flights) rows.push(await measure(flight, cacheDir))
      return rows
    } finally {
      await rm(cacheDir, { recursive: true })
    }
  },
}

/** The drawn clip is made larger; for the still picture its first frame is shown all the time, without loss, so that every pixel stays. */
function writeDrones(folder: string): void {
  writeDroneClip(join(folder, 'small.mp4'))
  const hd = 'scale=1920:1080'
  const filters = { drone: hd, still: `${hd},loop=loop=-1:size=1:start=0` } as const
  for (const [clip, filter] of Object.entries(filters)) {
    const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-g', '1000', '-bf', '0']
    const args = ['-i', join(folder, 'small.mp4'), '-vf', filter, '-t', String(DRONE_SECONDS), ...encoder]
    const { stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args, join(folder, `${clip}.mp4`)])
    if (stderr.length > 0) throw new Error(stderr.toString())
  }
}

function orderOf(clip: Clip, folder: string): PipelineOrder {
  if (clip !== 'demo') return aPipelineOrder(join(folder, `${clip}.mp4`), folder)
  const playback = { pace: 'fast', startedAtMs: 0, resumeAfterSeconds: FROM_SECONDS } as const
  return aPipelineOrder(demoClip.file, folder, { playback })
}

async function measure({ name, model, clip, tiles: asked, telemetry }: Flight, cacheDir: string): Promise<Row> {
  let frames = 0
  let cpu = process.cpuUsage()
  let grid = asked
  const onMessage = (message: FromWorker) => {
    if (message.type === 'stats' && message.stats.tiling) grid = message.stats.tiling.grid
    if (message.type !== 'scene') return
    // The first one, with the loading of the model, is not counted.
    if (frames++ === 0) cpu = process.cpuUsage()
  }
  const pipeline = startPipeline(
    {
      ...orderOf(clip, cacheDir),
      detection: { model, confidence: null, classes: null, tiles: asked, threads: 1, provider: 'cpu', cacheDir },
      geolocation: telemetry && { telemetry: { kind: 'fixed', values: telemetry } },
    },
    onMessage,
  )
  await pipeline.ended
  const { user, system } = process.cpuUsage(cpu)
  return {
    what: `${name}${grid === asked ? '' : `: ${grid}`}`,
    value: `${ms((user + system) / 1000 / (frames - 1))} a frame`,
  }
}
