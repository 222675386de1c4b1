import { type Balance, forecastMinutes, type MinutesForecast, type MinutesLow } from '../core/minutes.ts'
import { type Process } from './process.ts'

export interface MinutesWatchDeps {
  readonly ledger: { balance(accountId: string): Promise<Balance> }
  /** All that live here. */
  readonly listProcesses: () => readonly Process[]
  /** By account, on all nodes: they use up the same minutes. */
  readonly countRunning: (accountIds: readonly string[]) => Promise<ReadonlyMap<string, number>>
  /** At every look while it is so; whoever passes it on warns once. */
  readonly onLow: (low: MinutesLow) => void
}

/** Looks now and then for how long the minutes of those for whom something runs will last. */
export interface MinutesWatch {
  look(): Promise<void>
  /** As of the last look, of each process that ran then. */
  listForecasts(): readonly {
    readonly processId: string
    readonly accountId: string
    readonly forecast: MinutesForecast
  }[]
}

export function createMinutesWatch({ ledger, listProcesses, countRunning, onLow }: MinutesWatchDeps): MinutesWatch {
  let forecasts: ReturnType<MinutesWatch['listForecasts']> = []

  async function lookAt(accountId: string, processIds: readonly string[], count: number): Promise<typeof forecasts> {
    const balance = await ledger.balance(accountId)
    const forecast = forecastMinutes(balance, count)
    const { isLow, lastsSeconds, remainingSeconds } = forecast
    const allottedSeconds = remainingSeconds + balance.consumedSeconds
    if (isLow) onLow({ accountId, processIds, remainingSeconds, allottedSeconds, lastsSeconds: lastsSeconds! })
    return processIds.map((processId) => ({ processId, accountId, forecast }))
  }

  return {
    async look() {
      const running = listProcesses().filter(({ state }) => state === 'running')
      const accountIds = [...new Set(running.map(({ accountId }) => accountId))]
      const counts = accountIds.length > 0 ? await countRunning(accountIds) : undefined
      const looks = accountIds.map((accountId) => {
        const own = running.filter((process) => process.accountId === accountId).map(({ id }) => id)
        // What has only just begun is not written yet.
        return lookAt(accountId, own, Math.max(own.length, counts?.get(accountId) ?? 0))
      })
      forecasts = (await Promise.all(looks)).flat()
    },
    listForecasts: () => forecasts,
  }
}
