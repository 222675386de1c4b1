import { type Clock } from '../core/clock.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { retry } from '../core/retry.ts'
import { type Turns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type AccountAlerts } from './account-alerts.ts'
import { type Alert } from './alert.ts'
import { type Engine } from './engine.ts'
import { type SourceAliases } from './source-aliases.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

/** Brings the alerts of processes to the engine, once the database has answered which they are. */
export interface ProcessAlerts {
  /** The process is watched at once, so that no scene is missed; its alerts are read when it is the account's turn. */
  open(process: ProcessRef): Promise<void>
  /** A pipeline that is launched again takes what waited for a launch. */
  renew(process: ProcessRef): Promise<void>
}

export interface ProcessAlertsDeps {
  readonly engine: Pick<Engine, 'open' | 'begin' | 'isOpen' | 'renew'>
  readonly accountAlerts: Pick<AccountAlerts, 'listActiveAt'>
  readonly sequences: Pick<SpooledSequences, 'open'>
  readonly sources: SourceAliases
  readonly turns: Pick<Turns, 'take'>
  readonly clock: Clock
  readonly log: Log
}

const TRY_AGAIN_MS = 1_000

export function createProcessAlerts(deps: ProcessAlertsDeps): ProcessAlerts {
  const { engine, accountAlerts, sequences, sources, turns, clock, log } = deps

  /** What its first notification needs: by then the database may be away. */
  async function readAhead({ processId, accountId, sourceId }: ProcessRef): Promise<void> {
    await Promise.all([sequences.open(processId), sources.find(accountId, sourceId)])
  }

  /** In the account's turn; waits for a database that is away. */
  async function readAlerts(process: ProcessRef, pass: (alerts: readonly Alert[]) => void): Promise<void> {
    const { processId, accountId } = process
    const read = () =>
      turns.take(accountId, async () => {
        const alerts = await accountAlerts.listActiveAt(process)
        await readAhead(process)
        pass(alerts)
      })
    const onFailure = (error: unknown) =>
      log.error({ err: error, process_uuid: processId }, 'the alerts of a process could not be read')
    const isWanted = () => engine.isOpen(processId)
    await retry(read, { clock, waitMs: TRY_AGAIN_MS, isWanted, onRetry: onFailure }).catch(onFailure)
  }

  return {
    async open(process) {
      if (engine.open(process)) await readAlerts(process, (alerts) => engine.begin(process.processId, alerts))
    },
    async renew(process) {
      const { processId } = process
      if (engine.isOpen(processId)) await readAlerts(process, (alerts) => engine.renew(processId, alerts))
    },
  }
}
