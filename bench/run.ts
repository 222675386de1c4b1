/** Runs the benchmarks named on the command line, or all, and writes `docs/benchmarks.md`; rows of others stay as they are. */
import { loadavg } from 'node:os'
import { machineLine } from '../test/support/machine-line.ts'
import { writeSections } from '../test/support/page-sections.ts'
import { alertLatency } from './alert-latency.ts'
import { alerts } from './alerts.ts'
import { type Benchmark, type Row } from './benchmark.ts'
import { capacity } from './capacity.ts'
import { cluster } from './cluster.ts'
import { delivery } from './delivery.ts'
import { liveWall } from './console.ts'
import { detection } from './detection.ts'
import { encode } from './encode.ts'
import { enhancement } from './enhancement.ts'
import { evidence } from './evidence.ts'
import { geolocation } from './geolocation.ts'
import { hls } from './hls.ts'
import { httpApi } from './http-api.ts'
import { mediaServer } from './media-server.ts'
import { outputs } from './outputs.ts'
import { overlay } from './overlay.ts'
import { pictures } from './pictures.ts'
import { pipeline } from './pipeline.ts'
import { reports } from './reports.ts'
import { scaling } from './scaling.ts'
import { stillScenes } from './still-scenes.ts'
import { tiles } from './tiles.ts'
import { timeline } from './timeline.ts'
import { tracking } from './tracking.ts'
import { webrtc } from './webrtc.ts'

const benchmarks: readonly Benchmark[] = [
  httpApi,
  mediaServer,
  hls,
  webrtc,
  detection,
  tracking,
  stillScenes,
  pipeline,
  capacity,
  pictures,
  tiles,
  overlay,
  encode,
  outputs,
  geolocation,
  reports,
  timeline,
  evidence,
  enhancement,
  delivery,
  alerts,
  alertLatency,
  liveWall,
  cluster,
  scaling,
]

const page = 'docs/benchmarks.md'
const head = `# Benchmarks

Written by \`npm run bench\`. Machines are noisy: trust ratios within one run more than absolute numbers.
`

const wanted = process.argv.slice(2)
const known = benchmarks.map(({ name }) => name)
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(', ')}; there are: ${known.join(', ')}`)
  process.exit(1)
}
const sections = new Map<string, string>()
let isMissed = false

for (const benchmark of benchmarks) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue
  console.log(`${benchmark.title} …`)
  // What else the machine did when the measurement began.
  const load = loadavg()[0]!
  const rows = await benchmark.run()
  for (const { what, value, goal, isMet } of rows) {
    console.log(`  ${isMet === false ? 'MISSED ' : ''}${what}: ${value}${goal ? ` (goal: ${goal})` : ''}`)
    isMissed ||= isMet === false
  }
  sections.set(benchmark.name, toSection(benchmark, rows, load))
}

writeSections(page, head, known, sections)
process.exit(isMissed ? 1 : 0)

function toSection({ title, about }: Benchmark, rows: readonly Row[], load: number): string {
  const lines = rows.map(
    ({ what, value, goal = '', isMet }) =>
      `| ${what} | ${value} | ${goal} | ${isMet === undefined ? '' : isMet ? 'yes' : 'no'} |`,
  )
  return [
    `## ${title}`,
    '',
    about,
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}, load ${load.toFixed(1)}.`,
    '',
    '| what | value | goal | met |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n')
}
