import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './until.ts'

/** `aerie demo` as a user starts it, in a folder of its own and on free ports. */
export interface RunningDemo {
  readonly pid: number
  readonly folder: string
  readonly url: string
  readonly key: string
  /** What it has printed so far. */
  readonly output: () => string
  /** The printed one at first, then new ones: each works once. */
  signInUrl(): Promise<string>
  /** Ctrl-C, or another signal; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  remove(): Promise<void>
}

export async function startDemo(
  settings: Record<string, string> = {},
  folder = mkdtempSync(join(tmpdir(), 'aerie-demo-')),
): Promise<RunningDemo> {
  const ports = Object.fromEntries(['HTTP', 'RTSP', 'RTMP', 'WEBRTC'].map((name) => [`AERIE_${name}_PORT`, '0']))
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AERIE_')))
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/aerie.js'), 'demo'], {
    cwd: folder,
    env: { ...inherited, ...ports, AERIE_DATA_DIR: folder, AERIE_HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await until(async () => output.includes('Ctrl-C') || child.exitCode !== null, 45_000).catch(() => undefined)
  const [printed, url] = /(http:\/\/localhost:\d+)\/#\/sign-in\?code=\S+/.exec(output) ?? []
  if (!printed || !url) throw new Error(`The demo did not start:\n${output}`)
  const key = readFileSync(join(folder, 'master.key'), 'utf8').trim()
  let isPrintedUsed = false

  return {
    pid: child.pid!,
    folder,
    output: () => output,
    url,
    key,
    async signInUrl() {
      if (!isPrintedUsed) return ((isPrintedUsed = true), printed)
      const response = await fetch(`${url}/session/code`, { method: 'POST', headers: { api_key: key } })
      return ((await response.json()) as { url: string }).url
    },
    async stop(signal = 'SIGINT') {
      child.kill(signal)
      return exited
    },
    async remove() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
