import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningService } from '../test/support/installation.ts'
import { createInstallation } from '../test/support/service.ts'
import { type Benchmark, type Row } from './benchmark.ts'
import { addLargeClips, downloadPackage } from './evidence-package.ts'

const GB = 2 ** 30
const CLIPS = 5
const GOAL_MB = 100
const program = join(import.meta.dirname, '../bin/aerie.js')

/** What a process says at its end. */
const sayPeak = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`,
)}`

export const evidence: Benchmark = {
  name: 'evidence',
  title: 'Packages of evidence',
  about: `A package of ${CLIPS} clips of a gigabyte each, over HTTP by one client, and \`aerie verify\` on it with the public key alone. Memory is the resident set of the whole process.`,
  async run() {
    const installation = createInstallation()
    const folder = await mkdtemp(join(tmpdir(), 'aerie-bench-'))
    try {
      const service = await installation.start({ AERIE_LOG_LEVEL: 'warn' })
      const body = { alias: 'gate', input_url: 'rtsp://localhost:8554/admin/gate', stream_type: 'rtsp' }
      const created = await service.call('POST', '/stream', { body })
      const { source_uuid: sourceId } = (await created.json()) as { source_uuid: string }
      const ids = await addLargeClips(installation.dataDir, sourceId, CLIPS, GB)
      return [
        ...(await measureMaking(service, ids, join(folder, 'package.zip'))),
        ...(await measureVerifying(service, folder)),
      ]
    } finally {
      await installation.remove()
      await rm(folder, { recursive: true })
    }
  },
}

async function measureMaking(service: RunningService, ids: readonly string[], file: string): Promise<Row[]> {
  const pid = service.process.pid!
  const beforeMb = await memoryMb(pid, 'VmRSS')
  // From here on the peak counts anew (proc(5)).
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const startedMs = performance.now()
  const bytes = await downloadPackage(service, ids, file)
  const seconds = (performance.now() - startedMs) / 1_000
  const moreMb = (await memoryMb(pid, 'VmHWM')) - beforeMb
  return [
    {
      what: `memory that the service takes more than before, at most, for a package of ${(bytes / GB).toFixed(1)} GB`,
      value: `${moreMb.toFixed(0)} MB`,
      goal: `less than ${GOAL_MB} MB`,
      isMet: moreMb < GOAL_MB,
    },
    { what: 'time of making and sending it', value: `${seconds.toFixed(1)} s` },
  ]
}

async function measureVerifying(service: RunningService, folder: string): Promise<Row[]> {
  const answer = (await (await service.call('GET', '/evidence_key')).json()) as { public_key: string }
  await writeFile(join(folder, 'key.pem'), answer.public_key)
  const startedMs = performance.now()
  const args = ['--import', sayPeak, program, 'verify', 'package.zip', '--key', 'key.pem']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  if (!stdout.startsWith('Nothing was changed')) throw new Error(stdout)
  const peakMb = Number(/peak (\d+)/.exec(stderr)![1]) / 1_024
  const seconds = (performance.now() - startedMs) / 1_000
  const value = `${peakMb.toFixed(0)} MB, ${seconds.toFixed(1)} s`
  return [{ what: 'memory at most, and time, of `aerie verify` on it', value }]
}

async function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)![1]) / 1_024
}
