import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type ProcessFacts } from '../core/process-facts.ts'
import { type Turns } from '../core/turns.ts'
import { type AccountAlerts } from './account-alerts.ts'
import { type ActiveAlertsDeps, type ActiveRow, createActiveAlerts } from './active-alerts.ts'
import { type Alert } from './alert.ts'
import { type AlertsElsewhere } from './alerts-elsewhere.ts'
import { type AlertsChange } from './alert-changes.ts'
import { type AlertBuilderDeps, createAlertBuilder } from './alert-builder.ts'
import { createAlertLimiter, limitError } from './alert-limits.ts'
import { discardAlert } from './alert-removal.ts'
import { type AlertChange, type NewAlert } from './alerts.schema.ts'
import { type AlertStore } from './alerts.store.ts'
import { changedSetup } from './changed-setup.ts'
import { type Delivery } from '../core/delivery.ts'
import { type Engine } from './engine.ts'
import { type OneOffs } from './one-offs.ts'
import { relaunchPending } from './relaunch-pending.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

export interface AlertDeps extends AlertBuilderDeps, ActiveAlertsDeps {
  readonly store: AlertStore
  readonly sequences: Pick<SpooledSequences, 'channelsOf' | 'removeAlert'>
  readonly oneOffs: OneOffs
  readonly accountAlerts: AccountAlerts
  readonly engine: Engine
  readonly delivery: Pick<Delivery, 'drop' | 'backlogOf'>
  /** One after the other for each account, since a process may start while its alerts change. */
  readonly turns: Turns
  /** Notifies the other nodes of a cluster of what is in the database now. */
  readonly broadcast: (change: AlertsChange) => Promise<void>
  /** At the other nodes of a cluster. */
  readonly elsewhere: Pick<AlertsElsewhere, 'maxActiveOneOffs'>
  readonly processes: AlertProcesses
}

export interface AlertProcesses {
  /** Throws when the account has no such process, or when it has ended. */
  checkLive(account: Account, processId: string): Promise<void>
  /** Undefined when it has ended. */
  factsOf(processId: string): ProcessFacts | undefined
  /** Ends its pipeline and launches it anew with the same id, outputs, sockets and subscriptions. */
  relaunch(processId: string): void
}

export type AlertService = ReturnType<typeof createAlertService>

export function createAlertService(deps: AlertDeps) {
  const { store, oneOffs, accountAlerts, engine, turns, processes, broadcast } = deps
  const builder = createAlertBuilder(deps)
  const limiter = createAlertLimiter(deps)
  const activeAlerts = createActiveAlerts(deps)

  async function checkNewPlaces(account: Account, alertId: string, change: AlertChange): Promise<void> {
    const known = change.output && (await accountAlerts.find(account.id, alertId))
    if (known) await builder.checkOutputs(account, changedSetup(known, change).output)
    await builder.checkSources(account, change.source_uuids)
  }

  async function changeOneOff(oneOff: Alert, change: AlertChange): Promise<Alert> {
    const changed = builder.withChange(oneOff, change)
    builder.checkPlaces(changed)
    if (oneOff.status === 'inactive' && changed.status === 'active')
      await limiter.checkRoomForActive(changed.processId!)
    oneOffs.put(changed)
    return changed
  }

  async function changeRegistered(accountId: string, alertId: string, change: AlertChange): Promise<Alert> {
    const withChange = (alert: Alert) => builder.withChange(alert, change)
    const outcome = await store.change(accountId, alertId, await limiter.limitsOf(accountId), withChange)
    if (outcome === undefined) throw new AppError('alert-not-found', { alert_uuid: alertId })
    if (typeof outcome === 'string') throw limitError(outcome)
    return outcome
  }

  return {
    isPending: (alert: Alert): boolean => engine.pendingAt(alert).length > 0,

    async create(account: Account, body: NewAlert): Promise<Alert> {
      const created = await turns.take(account.id, async () => {
        const alert = await builder.build(account, body, null)
        const outcome = await store.insertWithinLimits(account, alert, await limiter.limitsOf(account.id))
        if (outcome !== 'inserted') throw limitError(outcome)
        if (alert.status === 'active') engine.enable(alert)
        return alert
      })
      await broadcast({ accountId: account.id })
      return created
    },

    createOneOff: (account: Account, processId: string, body: NewAlert): Promise<Alert> =>
      turns.take(account.id, async () => {
        const alert = await builder.build(account, body, processId)
        await processes.checkLive(account, processId)
        builder.checkPlaces(alert)
        limiter.checkRoomForOneOff(processId)
        if (alert.status === 'active') await limiter.checkRoomForActive(processId)
        oneOffs.put(alert)
        if (alert.status === 'active') engine.enable(alert)
        return alert
      }),

    list: (account: Account, page: PageRequest): Promise<Page<Alert>> => store.list(account.id, page),

    listActive: (account: Pick<Account, 'id'>): Promise<ActiveRow[]> => activeAlerts.list(account.id),

    /** With `force`, pipelines that still run with the old configuration are launched anew. */
    async change(account: Account, alertId: string, change: AlertChange, force: boolean): Promise<Alert> {
      const changed = await turns.take(account.id, async () => {
        await checkNewPlaces(account, alertId, change)
        const oneOff = oneOffs.find(account.id, alertId)
        const alert = oneOff ? await changeOneOff(oneOff, change) : await changeRegistered(account.id, alertId, change)
        if (alert.status === 'inactive') engine.disable(alert, 'alert-deactivated')
        else engine.enable(alert)
        if (force) await relaunchPending(alert, deps)
        return alert
      })
      if (changed.processId === null) await broadcast({ accountId: account.id, forcedId: force ? alertId : undefined })
      return changed
    },

    async remove(account: Account, alertId: string): Promise<void> {
      const { processId, channels } = await turns.take(account.id, async () => {
        const alert = await accountAlerts.find(account.id, alertId)
        if (!alert) throw new AppError('alert-not-found', { alert_uuid: alertId })
        // The alert itself goes last: if this is cut short, it can be deleted again.
        const known = await discardAlert(alert, deps)
        oneOffs.remove(alertId)
        await store.remove(account.id, alertId)
        return { processId: alert.processId, channels: known }
      })
      if (processId === null) await broadcast({ accountId: account.id, removed: { alertId, channels } })
    },
  }
}
