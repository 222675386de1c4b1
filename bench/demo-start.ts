import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'

const PATIENCE_MS = 60_000

/** How long `npm run demo` takes to print its link on what an earlier run has left, as on every day but the first. */
export async function secondDemoStartMs(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-demo-start-'))
  // The same for both: a camera at another port would be another one.
  const settings: Record<string, string> = { AERIE_DATA_DIR: folder, AERIE_HOST: '127.0.0.1' }
  for (const name of ['HTTP', 'RTSP', 'RTMP', 'WEBRTC']) settings[`AERIE_${name}_PORT`] = String(await freePort())
  try {
    await demoStartMs(settings)
    return await demoStartMs(settings)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts it, waits for the link, and stops it again. */
async function demoStartMs(settings: Readonly<Record<string, string>>): Promise<number> {
  const startedAt = performance.now()
  const demo = spawn('npm', ['run', '--silent', 'demo'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which gets Ctrl-C as a whole.
    detached: true,
  })
  const exited = new Promise((resolve) => demo.once('exit', resolve))
  let said = ''
  demo.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  try {
    return await new Promise<number>((resolve, reject) => {
      const giveUp = () => reject(new Error(`The demo did not start:\n${said}`))
      const timer = setTimeout(giveUp, PATIENCE_MS)
      demo.once('exit', giveUp)
      demo.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (!said.includes('/#/sign-in?code=')) return
        clearTimeout(timer)
        resolve(performance.now() - startedAt)
      })
    })
  } finally {
    if (demo.exitCode === null) process.kill(-demo.pid!, 'SIGINT')
    await exited
  }
}
