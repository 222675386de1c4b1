import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { resultInTime, type NodeExchange, type RequestTopic } from '../core/node-exchange.ts'
import { type Turns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type ProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type AlertRemovalDeps, discardAlert } from './alert-removal.ts'
import { type AlertStore } from './alerts.store.ts'
import { type Engine } from './engine.ts'
import { relaunchPending, type RelaunchDeps } from './relaunch-pending.ts'

/** What was changed of the registered alerts of an account. */
export interface AlertsChange {
  readonly accountId: string
  /** This one is no more; it sent by these channels. */
  readonly removed?: { readonly alertId: string; readonly channels: readonly string[] } | undefined
  /** Pipelines that still run with what this one was before are launched anew. */
  readonly forcedId?: string | undefined
}

/** Brings changes of registered alerts to the nodes at which these look at processes. */
export interface AlertChanges {
  /**
   * After the change is in the database. Resolves when the other nodes have it, or do not answer: they poll the database every few
   * seconds.
   */
  broadcast(change: AlertsChange): Promise<void>
  start(): void
  /** Resolves when nothing is applied any more. */
  close(): Promise<void>
}

export interface AlertChangesDeps extends AlertRemovalDeps, RelaunchDeps {
  readonly engine: Engine
  readonly store: Pick<AlertStore, 'listActive' | 'find' | 'listMarks'>
  readonly processNodes: Pick<ProcessNodesStore, 'listElsewhere'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  readonly turns: Turns
  readonly clock: Clock
  readonly log: Log
}

const POLL_EVERY_MS = 5_000

const alertsChanged: RequestTopic<AlertsChange, null> = {
  name: 'alerts-changed',
  schema: z.object({
    accountId: z.string(),
    removed: z.object({ alertId: z.string(), channels: z.array(z.string()) }).optional(),
    forcedId: z.string().optional(),
  }),
  responseSchema: z.null(),
}

export function createAlertChanges(deps: AlertChangesDeps): AlertChanges {
  const { engine, store, processNodes, exchange, turns, clock, log } = deps
  const closing = new AbortController()
  /** Of each account whose processes are here, how its alerts were when they were last applied. */
  let applied = new Map<string, string>()
  let isFailing = false
  let running: Promise<void> | undefined

  /** What runs here becomes what is registered; of what runs already, only what changes at once. */
  async function apply(accountId: string): Promise<void> {
    const active = await store.listActive(accountId)
    const isActive = new Set(active.map(({ id }) => id))
    const running = new Map(engine.list(accountId).map(({ alert }) => [alert.id, alert]))
    for (const alert of running.values()) {
      if (alert.processId !== null || isActive.has(alert.id)) continue
      if (await store.find(accountId, alert.id)) engine.disable(alert, 'alert-deactivated')
      else await discardAlert(alert, deps)
    }
    for (const alert of active) engine.enable(alert)
  }

  exchange.handle(alertsChanged, ({ accountId, removed, forcedId }) =>
    turns.take(accountId, async () => {
      if (removed) await discardAlert({ id: removed.alertId, accountId }, deps, removed.channels)
      await apply(accountId)
      const forced = forcedId === undefined ? undefined : await store.find(accountId, forcedId)
      if (forced) await relaunchPending(forced, deps)
      return null
    }),
  )

  async function notifyNodes(change: AlertsChange): Promise<void> {
    const elsewhere = await processNodes.listElsewhere(change.accountId)
    const nodes = new Set(elsewhere.flatMap(({ nodeId }) => nodeId ?? []))
    await Promise.allSettled([...nodes].map((node) => exchange.request(node, alertsChanged, change)))
  }

  async function poll(): Promise<void> {
    const marks = await store.listMarks(engine.listAccounts())
    applied = new Map([...applied].filter(([accountId]) => marks.has(accountId)))
    for (const [accountId, mark] of marks) {
      if (applied.get(accountId) === mark) continue
      await turns.take(accountId, () => apply(accountId))
      applied.set(accountId, mark)
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await poll()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'it cannot be read how alerts were changed; trying again')
        isFailing = true
      }
      await clock.sleep(POLL_EVERY_MS, closing.signal)
    }
  }

  return {
    broadcast: async (change) => void (await resultInTime(notifyNodes(change), clock)),
    start: () => void (running ??= run()),
    async close() {
      closing.abort()
      await running
    },
  }
}
