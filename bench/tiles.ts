import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Telemetry } from '../src/core/telemetry.ts'
import { type FromWorker } from '../src/pipeline/messages.ts'
import { startPipeline } from '../src/pipeline/run.ts'
import { type Benchmark, ms, type Row } from './benchmark.ts'
import { demoClip } from './demo-clip.ts'

const FROM_SECONDS = 21

interface Flight {
  readonly name: string
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

const flights: readonly Flight[] = [
  { name: '`tiles=1x1`', tiles: '1x1', telemetry: null },
  { name: '`tiles=2x2`', tiles: '2x2', telemetry: null },
  { name: '`tiles=auto`, nothing known', tiles: 'auto', telemetry: null },
  { name: '`tiles=auto`, 40 m, straight down', tiles: 'auto', telemetry: down(40) },
  { name: '`tiles=auto`, 120 m, straight down', tiles: 'auto', telemetry: down(120) },
  { name: '`tiles=auto`, 100 m, a little upwards: sky is skipped', tiles: 'auto', telemetry: level },
]

export const tiles: Benchmark = {
  name: 'tiles',
  title: 'Tiles',
  about: `The last seconds of the demo clip (768×576) with \`overhead\` and \`pace=fast\`, which leaves the choice to the scale alone: CPU time of all threads for one frame, by what telemetry says. Live processes choose no more tiles than leave two pictures a second.`,
  async run() {
    const cacheDir = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
    try {
      const rows: Row[] = []
      for (const flight of flights) rows.push(await measure(flight, cacheDir))
      return rows
    } finally {
      await rm(cacheDir, { recursive: true })
    }
  },
}

async function measure({ name, tiles: asked, telemetry }: Flight, cacheDir: string): Promise<Row> {
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
      input: { kind: 'file', path: demoClip.file, pace: 'fast', startedAtMs: 0, resumeAfterSeconds: FROM_SECONDS },
      detection: { model: 'overhead', confidence: null, classes: null, tiles: asked, threads: 1, cacheDir },
      isTracking: true,
      firstTrackId: 1,
      isPaused: false,
      geolocation: telemetry && { telemetry: { kind: 'fixed', values: telemetry } },
      outputs: [],
      isFeedWanted: false,
      keepsPictures: false,
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
