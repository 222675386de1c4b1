import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { childrenOf } from './child-processes.ts'
import { callHttps } from './https-call.ts'
import { type Installation, type RunningService } from './installation.ts'

const builtProgram = join(import.meta.dirname, '../../bin/aerie.js')
const run = promisify(execFile)

/** `node bin/aerie.js serve`: one machine, with SQLite unless settings say otherwise. */
export function createSingleInstallation(program = builtProgram): Installation {
  const dataDir = mkdtempSync(join(tmpdir(), 'aerie-e2e-'))
  const running = new Set<RunningService>()
  // Settings of the developer, in the environment or in a config.yml, must not reach the service.
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AERIE_')))
  const environment = {
    ...inherited,
    AERIE_DATA_DIR: dataDir,
    AERIE_HTTP_PORT: '0',
    AERIE_RTSP_PORT: '0',
    AERIE_RTMP_PORT: '0',
    AERIE_RTSPS_PORT: '0',
    AERIE_RTMPS_PORT: '0',
    AERIE_WEBRTC_PORT: '0',
    AERIE_HOST: '127.0.0.1',
  }
  const masterKey = () => readFileSync(join(dataDir, 'master.key'), 'utf8').trim()

  const commandWith = (settings: Record<string, string>, ...args: string[]) =>
    run(process.execPath, [program, ...args], { cwd: dataDir, env: { ...environment, ...settings } })

  return {
    dataDir,
    dataDirs: [dataDir],
    get masterKey() {
      return masterKey()
    },
    async start(settings = {}) {
      const child = spawn(process.execPath, [program, 'serve'], {
        cwd: dataDir,
        env: { ...environment, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
      const firstLine = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
      const line = await Promise.race([
        firstLine,
        exited.then((code) => Promise.reject(new Error(`exit ${code}\n${stderr}`))),
      ])
      const ready = JSON.parse(line) as Record<string, unknown>
      const isEncrypted = settings['AERIE_TLS_CERT'] !== undefined
      const host = settings['AERIE_HOST'] ?? environment.AERIE_HOST
      const url = `${isEncrypted ? 'https' : 'http'}://${host}:${String(ready['http_port'])}`
      const send = isEncrypted ? callHttps : fetch
      const service: RunningService = {
        process: child,
        url,
        ready,
        stderr: () => stderr,
        children: (words = '') => childrenOf(child.pid!, words),
        call: (method, path, { key = masterKey(), body } = {}) =>
          send(url + path, {
            method,
            headers: { api_key: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          }),
        async stop(signal = 'SIGTERM') {
          child.kill(signal)
          const code = await exited
          running.delete(service)
          return code
        },
      }
      running.add(service)
      return service
    },
    command: (...args) => commandWith({}, ...args),
    commandWith,
    async remove() {
      for (const service of running) await service.stop('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
