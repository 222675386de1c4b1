import { type Log } from './log.ts'

/** Whether the service can do its work: every part that can fail registers a check of its own. */
export interface Health {
  addCheck(name: string, check: () => Promise<void>): void
  /** From now on the service is not ready, whatever the checks say: it is stopping. */
  stop(): void
  report(): Promise<HealthReport>
}

export interface HealthReport {
  readonly isReady: boolean
  /** `ok`, `failed`, `no answer` or `stopping`, by name. Why is in the log only, since anyone on the network may ask. */
  readonly checks: Readonly<Record<string, string>>
}

const CHECK_TIMEOUT_MS = 2_000

export function createHealth(log: Log): Health {
  const checks = new Map<string, () => Promise<void>>()
  let isStopping = false

  async function runCheck(name: string, check: () => Promise<void>): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no answer'), CHECK_TIMEOUT_MS)
    })
    try {
      return await Promise.race([check().then(() => 'ok'), timeout])
    } catch (error) {
      log.warn({ err: error, check: name }, 'not ready')
      return 'failed'
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    addCheck: (name, check) => void checks.set(name, check),
    stop: () => void (isStopping = true),
    async report() {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await runCheck(name, check)] as const),
      )
      if (isStopping) results.push(['service', 'stopping'])
      return { isReady: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) }
    },
  }
}
