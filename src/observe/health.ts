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
  const failing = new Set<string>()
  let isStopping = false
  let underWay: Promise<HealthReport> | undefined

  /** Whoever asks every second need not fill the log: what counts is that it changed. */
  function logChange(name: string, failure: Error | undefined): void {
    if (failing.has(name) === (failure !== undefined)) return
    if (failure) {
      failing.add(name)
      log.warn({ check: name, reason: failure.message }, 'not ready: a part of the service does not work')
    } else {
      failing.delete(name)
      log.info({ check: name }, 'a part of the service works again')
    }
  }

  async function runCheck(name: string, check: () => Promise<void>): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no answer'), CHECK_TIMEOUT_MS)
    })
    try {
      const result = await Promise.race([check().then(() => 'ok'), timeout])
      logChange(name, result === 'ok' ? undefined : new Error('It did not answer.'))
      return result
    } catch (error) {
      logChange(name, error as Error)
      return 'failed'
    } finally {
      clearTimeout(timer)
    }
  }

  async function runChecks(): Promise<HealthReport> {
    const results = await Promise.all(
      [...checks].map(async ([name, check]) => [name, await runCheck(name, check)] as const),
    )
    if (isStopping) results.push(['service', 'stopping'])
    return { isReady: results.every(([, result]) => result === 'ok'), checks: Object.fromEntries(results) }
  }

  return {
    addCheck: (name, check) => void checks.set(name, check),
    stop: () => void (isStopping = true),
    report() {
      // Anyone may ask, as often as they like: while a check hangs, that must not start more of them.
      underWay ??= runChecks().finally(() => (underWay = undefined))
      return underWay
    },
  }
}
