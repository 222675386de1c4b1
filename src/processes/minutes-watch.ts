import { type Balance, forecastMinutes, type MinutesForecast, type MinutesLow } from '../core/minutes.ts'
import { type Process } from './process.ts'

export interface MinutesWatchDeps {
  readonly ledger: { balance(accountId: string): Promise<Balance> }
  /** All that live. */
  readonly listProcesses: () => readonly Process[]
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

export function createMinutesWatch({ ledger, listProcesses, onLow }: MinutesWatchDeps): MinutesWatch {
  let forecasts: ReturnType<MinutesWatch['listForecasts']> = []

  async function lookAt(accountId: string, processIds: readonly string[]): Promise<typeof forecasts> {
    const balance = await ledger.balance(accountId)
    const forecast = forecastMinutes(balance, processIds.length)
    const { isLow, lastsSeconds, remainingSeconds } = forecast
    const allottedSeconds = remainingSeconds + balance.consumedSeconds
    if (isLow) onLow({ accountId, processIds, remainingSeconds, allottedSeconds, lastsSeconds: lastsSeconds! })
    return processIds.map((processId) => ({ processId, accountId, forecast }))
  }

  return {
    async look() {
      const running = listProcesses().filter(({ state }) => state === 'running')
      const looks = [...new Set(running.map(({ accountId }) => accountId))].map((accountId) => {
        const own = running.filter((process) => process.accountId === accountId)
        return lookAt(
          accountId,
          own.map(({ id }) => id),
        )
      })
      forecasts = (await Promise.all(looks)).flat()
    },
    listForecasts: () => forecasts,
  }
}
