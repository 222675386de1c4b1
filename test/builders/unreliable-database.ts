import { type Clock } from '../../src/core/clock.ts'
import { type Balance } from '../../src/core/minutes.ts'
import { DatabaseAway } from '../../src/core/outages.ts'
import { isLive } from '../../src/core/process-facts.ts'
import { isTaken } from '../../src/core/taken-processes.ts'
import { type ProcessLedger } from '../../src/processes/charging.ts'
import { type Process } from '../../src/processes/process.ts'
import { type ProcessStore } from '../../src/processes/processes.store.ts'

/** `mute` does what it is asked, but its answers are lost: whoever asked cannot know. */
export type DatabaseMode = 'there' | 'slow' | 'away' | 'mute'

export const SLOW_ANSWER_MS = 3_000

const SECONDS_LEFT = 1_000_000

/** What one service has of it. */
export interface DatabaseConnection {
  readonly store: Pick<ProcessStore, 'update' | 'remove' | 'listTaken'>
  readonly ledger: ProcessLedger
  /** The service is gone: what it still asks is neither done nor answered. */
  cut(): void
}

/** Processes and their meters in memory, with the rules of the real store and ledger, for services that come and go. */
export interface UnreliableDatabase {
  mode: DatabaseMode
  hasMinutes: boolean
  insert(process: Process): void
  find(processId: string): Process | undefined
  chargedMs(processId: string): number
  connect(): DatabaseConnection
}

export function createUnreliableDatabase(clock: Clock): UnreliableDatabase {
  const rows = new Map<string, Process>()
  const meters = new Map<string, number>()

  function balance(): Balance {
    const consumedSeconds = [...meters.values()].reduce((total, ms) => total + ms, 0) / 1000
    const remainingSeconds = database.hasMinutes ? SECONDS_LEFT : 0
    return { isUnlimited: false, remainingSeconds, consumedSeconds, pendingSeconds: 0 }
  }

  function connect(): DatabaseConnection {
    let isCut = false

    async function ask<T>(act: () => T): Promise<T> {
      if (database.mode === 'slow') await clock.sleep(SLOW_ANSWER_MS)
      if (isCut) return new Promise(() => {})
      if (database.mode === 'away') throw new DatabaseAway(new Error('connection refused'))
      const answer = act()
      if (database.mode === 'mute') throw new DatabaseAway(new Error('connection reset'))
      return answer
    }

    return {
      store: {
        update: (process) => ask(() => void (rows.has(process.id) && rows.set(process.id, process))),
        remove: (id) => ask(() => void rows.delete(id)),
        listTaken: (ids) => ask(() => [...rows.values()].filter(({ id, state }) => isLive(state) && isTaken(ids)(id))),
      },
      ledger: {
        charge: (chargeId, _accountId, totalMs) =>
          ask(() => {
            meters.set(chargeId, Math.max(totalMs, meters.get(chargeId) ?? 0))
            return balance()
          }),
        balance: () => ask(balance),
      },
      cut: () => void (isCut = true),
    }
  }

  const database: UnreliableDatabase = {
    mode: 'there',
    hasMinutes: true,
    insert: (process) => void rows.set(process.id, process),
    find: (processId) => rows.get(processId),
    chargedMs: (processId) => meters.get(processId) ?? 0,
    connect,
  }
  return database
}
