import { type Delivery } from '../core/delivery.ts'
import { type ProcessFacts } from '../core/process-facts.ts'
import { asSentence } from '../core/sentences.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { isSameSetup } from './alert.ts'
import { type AlertStore } from './alerts.store.ts'
import { destinationsOf } from './destinations.ts'
import { type ActiveAlert, type Engine } from './engine.ts'
import { type OneOffs } from './one-offs.ts'
import { problemWith } from './problem.ts'

/** A row of `/active/alerts`. */
export interface ActiveRow extends ActiveAlert {
  /** Whether it still runs as it was before its last change. */
  readonly isPending: boolean
  /** Why nothing arrives of it, and what to do; null when nothing is wrong. */
  readonly problem: string | null
}

export interface ActiveAlertsDeps {
  readonly store: Pick<AlertStore, 'listActive'>
  readonly oneOffs: Pick<OneOffs, 'find'>
  readonly engine: Pick<Engine, 'list'>
  readonly delivery: Pick<Delivery, 'backlogOf'>
  readonly processes: { factsOf(processId: string): ProcessFacts | undefined }
  readonly telemetry: { cfgOf(processId: string): TelemetryCfg | null }
}

/** Lists each active alert with every process that it is at. */
export function createActiveAlerts({ store, oneOffs, engine, delivery, processes, telemetry }: ActiveAlertsDeps) {
  /** Why its notifications do not arrive; null where they do. */
  function deliveryProblemOf({ alert, process }: ActiveAlert): string | null {
    const channels = [...destinationsOf(alert.id, process.processId, alert.setup.output).keys()]
    const sentences = channels.flatMap((channel, index) => {
      const { trouble, waiting } = delivery.backlogOf(channel)
      if (trouble === null) return []
      return [`Output ${index + 1}: ${asSentence(trouble)} Notifications that wait: ${waiting}; it is tried again.`]
    })
    return sentences.length > 0 ? sentences.join(' ') : null
  }

  function analysisProblemOf({ alert, process, hasSeenPlaces }: ActiveAlert): string | null {
    const facts = processes.factsOf(process.processId)
    if (!facts) return null
    return problemWith(alert.setup, { ...facts, telemetryCfg: telemetry.cfgOf(process.processId) }, hasSeenPlaces)
  }

  return {
    async list(accountId: string): Promise<ActiveRow[]> {
      const registered = new Map((await store.listActive(accountId)).map((alert) => [alert.id, alert]))
      return engine.list(accountId).map((row) => {
        const current = registered.get(row.alert.id) ?? oneOffs.find(accountId, row.alert.id)
        return {
          ...row,
          // Where it looks changes at once; a source that was removed is in no list any more.
          alert: { ...row.alert, sourceIds: current?.sourceIds ?? row.alert.sourceIds },
          isPending: current !== undefined && !isSameSetup(row.alert.setup, current.setup),
          problem: analysisProblemOf(row) ?? deliveryProblemOf(row),
        }
      })
    },
  }
}
