import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A real NATS server on a port of its own, which it keeps when it is started again. */
export interface NatsServer {
  readonly port: number
  readonly url: string
  start(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** It stands still: connections stay open, and nothing is read from them. */
  freeze(): void
  thaw(): void
  /** With other settings, while it runs. */
  reload(settings: readonly string[]): void
  remove(): Promise<void>
}

/** `settings` are lines of its configuration file, such as users and their rights. */
export async function createNatsServer(settings: readonly string[] = []): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-nats-'))
  const port = await freePort()
  const file = join(folder, 'nats.conf')
  const configure = (lines: readonly string[]) =>
    writeFileSync(file, [`listen: "127.0.0.1:${port}"`, ...lines, ''].join('\n'))
  configure(settings)
  let child: ChildProcess | undefined

  const server: NatsServer = {
    port,
    url: `nats://127.0.0.1:${port}`,
    async start() {
      child = spawn('/usr/sbin/nats-server', ['-c', file], { stdio: 'ignore' })
      await until(() => answers(port), 10_000)
    },
    async kill() {
      const running = child
      child = undefined
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      running.kill('SIGKILL')
      await once(running, 'exit')
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    reload(changed) {
      configure(changed)
      child?.kill('SIGHUP')
    },
    async remove() {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/** Whether it speaks: its first line is there as soon as clients are served. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
  })
}
