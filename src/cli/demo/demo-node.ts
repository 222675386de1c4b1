import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../core/clock.ts'
import { EXPELLED_EXIT_CODE } from '../../main.ts'
import { startedByParent } from '../node-restarts.ts'
import { howItEnded } from './local-server.ts'

/** One node of the demo: `aerie serve` as its operator would start it, on ports and a folder of its own. */
export interface DemoNode {
  readonly name: string
  /** Resolves when it serves; rejects with a sentence when it ends before. */
  readonly ready: Promise<NodeAddresses>
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface NodeAddresses {
  readonly url: string
  readonly rtspUrl: string
}

export interface DemoNodeOptions {
  readonly name: string
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
  readonly say: (sentence: string) => void
}

const program = fileURLToPath(new URL('../../../bin/aerie.js', import.meta.url))
const PORTS = ['HTTP', 'RTSP', 'RTMP', 'WEBRTC'] as const
/** Of the environment, what belongs to one service, and not to several on one machine. */
const NOT_SHARED = /^AERIE_(CONFIG|PUBLIC_URL|HTTP_REDIRECT_PORT|RTSPS_PORT|RTMPS_PORT|TLS_.+|NODE_RTSP_URL)$/
const RESTART_AFTER_MS = 1_000

interface ReadyLine {
  readonly http_port: number
  readonly rtsp_port: number
  readonly rtmp_port: number
}

export function startDemoNode({ name, folder, settings, say }: DemoNodeOptions): DemoNode {
  mkdirSync(folder)
  let isEnding = false
  let ports: Partial<Record<(typeof PORTS)[number], number>> = {}
  let { child, ended, ready } = run()
  void goOn()

  function run() {
    const inherited = Object.entries(process.env).filter(([variable]) => !NOT_SHARED.test(variable))
    const ownPorts = PORTS.map((port) => [`AERIE_${port}_PORT`, String(ports[port] ?? 0)])
    const environment: NodeJS.ProcessEnv = {
      AERIE_LOG_LEVEL: 'error',
      AERIE_HOST: '127.0.0.1',
      ...(Object.fromEntries([...inherited, ...ownPorts]) as NodeJS.ProcessEnv),
      ...settings,
    }
    const started = spawn(process.execPath, [program, 'serve'], {
      // No config.yml is there.
      cwd: folder,
      env: { ...environment, AERIE_NODE_NAME: name, AERIE_DATA_DIR: folder, ...startedByParent },
      // In a session of its own: Ctrl-C in the terminal is for us. By the channel it notices when we are gone.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    createInterface({ input: started.stderr! }).on('line', (line) => {
      if (!isEnding) process.stderr.write(`${name}: ${line}\n`)
    })
    const exited = new Promise<Ending>((resolve) => {
      started.once('error', ({ message }) => resolve({ code: null, how: message }))
      started.once('exit', (code, signal) => resolve({ code, how: howItEnded(code, signal) }))
    })
    const firstLine = new Promise<string>((resolve) =>
      createInterface({ input: started.stdout! }).once('line', resolve),
    )
    const addresses = Promise.race([
      firstLine.then(toAddresses),
      exited.then(({ how }) => Promise.reject(new Error(`${name} did not start (${how}).`))),
    ])
    addresses.catch(() => {})
    return { child: started, ended: exited, ready: addresses }
  }

  function toAddresses(line: string): NodeAddresses {
    const { http_port, rtsp_port, rtmp_port } = JSON.parse(line) as ReadyLine
    // The same ones when it joins anew.
    ports = { HTTP: http_port, RTSP: rtsp_port, RTMP: rtmp_port }
    return { url: `http://localhost:${http_port}`, rtspUrl: `rtsp://localhost:${rtsp_port}` }
  }

  /** Starts it again when others have its work; anything else is not mended. */
  async function goOn(): Promise<void> {
    for (;;) {
      const { code, how } = await ended
      if (isEnding) return
      const wasReady = await ready.then(
        () => true,
        () => false,
      )
      if (code !== EXPELLED_EXIT_CODE) {
        if (wasReady) say(`${name} has ended by itself (${how}); others go on with what it had.`)
        return
      }
      say(`${name} was not heard of for too long, and others have its work: it joins anew.`)
      await systemClock.sleep(RESTART_AFTER_MS)
      if (isEnding) return
      ;({ child, ended, ready } = run())
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    isEnding = true
    child.kill(signal)
    await ended
  }

  return {
    name,
    ready,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

interface Ending {
  readonly code: number | null
  readonly how: string
}
