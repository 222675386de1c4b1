import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

/** A real broker on a port of its own. */
export interface Mosquitto {
  readonly port: number
  start(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  remove(): Promise<void>
}

export async function createMosquitto(settings: readonly string[] = ['allow_anonymous true']): Promise<Mosquitto> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-mosquitto-'))
  const port = await freePort()
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(file, [`listener ${port} 127.0.0.1`, ...settings, ''].join('\n'))
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const broker: Mosquitto = {
    port,
    async start() {
      const started = spawn('/usr/sbin/mosquitto', ['-c', file], { stdio: 'ignore' })
      child = started
      ended = new Promise((resolve) => started.once('exit', resolve))
      await until(() => answers(port), 5_000)
    },
    async kill() {
      child?.kill('SIGKILL')
      await ended
    },
    async remove() {
      await broker.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await broker.start()
  return broker
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Settings of a broker whose subscriptions survive it, so that nothing that arrives is missed by a test itself. */
export function rememberingIn(folder: string): string[] {
  return [
    'allow_anonymous true',
    // As itself, or it could not write there.
    `user ${userInfo().username}`,
    'persistence true',
    `persistence_location ${folder}/`,
    'autosave_on_changes true',
    'autosave_interval 1',
  ]
}
