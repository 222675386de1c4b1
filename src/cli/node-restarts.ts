import { spawn } from 'node:child_process'
import { systemClock } from '../core/clock.ts'
import { EXPELLED_EXIT_CODE } from '../main.ts'
import { type Log } from '../observe/log.ts'

/** Set in the service that this one starts. */
const MARK = '_AERIE_RESTARTED_WHEN_EXPELLED'
/** The environment of a service that is started by whoever starts it again, with a channel to it. */
export const startedByParent = { [MARK]: '1' }
/** A node that is expelled again and again stands still too often: others have its work meanwhile. */
const RESTART_AFTER_MS = 1_000

/** Whether somebody starts this process again, who ends with it. */
export function isRestartedWhenExpelled(): boolean {
  return process.env[MARK] !== undefined
}

/**
 * Runs this program again, as the service itself, and starts another one when that one was expelled: nothing of it may go on, not even
 * in memory. Ends with its exit code otherwise.
 */
export async function restartWhenExpelled(log: Log): Promise<void> {
  for (;;) {
    const code = await runService()
    if (code !== EXPELLED_EXIT_CODE) process.exit(code)
    log.warn('the node joins anew')
    await systemClock.sleep(RESTART_AFTER_MS)
  }
}

function runService(): Promise<number> {
  const service = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...process.env, ...startedByParent },
    // By the last one it notices when this process is gone.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const passOn = (signal: NodeJS.Signals) => void service.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  return new Promise((resolve, reject) => {
    service.once('error', reject)
    service.once('exit', (code) => {
      for (const signal of signals) process.off(signal, passOn)
      resolve(code ?? 1)
    })
  })
}

/** In the service itself: it does not outlive whoever would start it again. */
export function endWithParent(): void {
  if (isRestartedWhenExpelled()) process.on('disconnect', () => process.exit(1))
}
