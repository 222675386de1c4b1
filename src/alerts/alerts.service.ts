import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Turns } from '../core/turns.ts'
import { type Alert, isGeographic, type Setup } from './alert.ts'
import { type AlertChange, type NewAlert } from './alerts.schema.ts'
import { type AlertLimits, type AlertStore } from './alerts.store.ts'
import { changedSetup, checkSetup } from './changed-setup.ts'
import { type Delivery, destinationsOf } from './delivery.ts'
import { type ActiveAlert, type Engine } from './engine.ts'
import { type WatchedProcess } from './notification.ts'
import { type OneOffs } from './one-offs.ts'
import { checkAddresses } from './output-address.ts'
import { problemWith, type ProcessFacts, whyWithoutPlaces } from './problem.ts'
import { type SequenceStore } from './sequences.store.ts'

/** Alerts that an account may have registered. */
export const MAX_REGISTERED = 100
/** Alerts that may be active at one process, one-off alerts included; as many one-off alerts may be there, active or not. */
export const MAX_ACTIVE = 50

export interface AlertDeps {
  readonly store: AlertStore
  readonly sequences: Pick<SequenceStore, 'channelsOf' | 'removeAlert'>
  readonly oneOffs: OneOffs
  readonly engine: Engine
  readonly delivery: Pick<Delivery, 'drop' | 'standing'>
  /** One after the other for each account, since a process may start while its alerts change. */
  readonly turns: Turns
  readonly processes: AlertProcesses
  readonly telemetry: { cfgOf(processId: string): TelemetryCfg | null }
  /** Why this host is not called for this account; undefined when nothing is against it. */
  readonly objectionTo: (account: Account, hostname: string, port?: number) => Promise<string | undefined>
  /** Names of all classes that any model knows. */
  readonly knownClasses: () => ReadonlySet<string>
  readonly clock: Clock
}

export interface AlertProcesses {
  /** Throws when the account has no such process, or when it has ended. */
  checkLive(account: Account, processId: string): Promise<void>
  /** Undefined when it has ended. */
  factsOf(processId: string): (WatchedProcess & Omit<ProcessFacts, 'telemetryCfg'>) | undefined
  /** Ends its pipeline and launches it anew with the same id, outputs, sockets and subscriptions. */
  relaunch(processId: string): void
}

/** A row of `/active/alerts`. */
export interface ActiveRow extends ActiveAlert {
  readonly isPending: boolean
  readonly problem: string | null
}

export type AlertService = ReturnType<typeof createAlertService>

export function createAlertService(deps: AlertDeps) {
  const { store, sequences, oneOffs, engine, delivery, turns, processes, telemetry, knownClasses, objectionTo, clock } =
    deps

  const limitsOf = (accountId: string): AlertLimits => ({
    registered: MAX_REGISTERED,
    active: MAX_ACTIVE - oneOffs.maxActive(accountId),
  })
  const isPending = (alert: Alert) => engine.pendingAt(alert).length > 0

  const checkOutputs = (account: Account, outputs: Setup['output']) =>
    checkAddresses(outputs, (hostname, port) => objectionTo(account, hostname, port))

  async function toAlert(account: Account, body: NewAlert, processId: string | null): Promise<Alert> {
    const { alias, status, ...setup } = body
    checkSetup(setup, knownClasses())
    await checkOutputs(account, setup.output)
    const now = clock.now()
    return { id: orderedUuid(), accountId: account.id, alias, status, setup, processId, createdAt: now, updatedAt: now }
  }

  function withChange(alert: Alert, change: AlertChange): Alert {
    const setup = changedSetup(alert, change)
    // What is not sent is not judged: who only switches an alert off must be able to, whatever has become of its classes.
    if (change.filter ?? change.output) checkSetup(setup, knownClasses())
    const { alias = alert.alias, status = alert.status } = change
    return { ...alert, alias, status, setup, updatedAt: clock.now() }
  }

  function checkPlaces(alert: Alert): void {
    const cfg = telemetry.cfgOf(alert.processId!)
    const needsDistance = alert.setup.filter.max_distance_m !== undefined && !cfg
    const reason = isGeographic(alert.setup) || needsDistance ? whyWithoutPlaces(cfg) : null
    if (reason) throw new AppError('geolocation-not-configured', { process_uuid: alert.processId, reason })
  }

  async function checkRoomAt(account: Pick<Account, 'id'>, processId: string): Promise<void> {
    const active = (await store.listActive(account.id)).length + oneOffs.activeAt(processId).length
    if (active >= MAX_ACTIVE) throw new AppError('active-alert-limit-reached', { limit: MAX_ACTIVE })
  }

  async function checkNewOutputs(account: Account, alertId: string, change: AlertChange): Promise<void> {
    const known = change.output && (oneOffs.find(account.id, alertId) ?? (await store.find(account.id, alertId)))
    if (known) await checkOutputs(account, changedSetup(known, change).output)
  }

  async function write(account: Account, alertId: string, change: AlertChange): Promise<Alert> {
    const oneOff = oneOffs.find(account.id, alertId)
    if (oneOff) {
      const changed = withChange(oneOff, change)
      checkPlaces(changed)
      if (oneOff.status === 'inactive' && changed.status === 'active') await checkRoomAt(account, changed.processId!)
      oneOffs.put(changed)
      return changed
    }
    const outcome = await store.change(account.id, alertId, limitsOf(account.id), (alert) => withChange(alert, change))
    if (outcome === undefined) throw new AppError('alert-not-found', { alert_uuid: alertId })
    if (outcome === 'active-alert-limit-reached') throw new AppError(outcome, { limit: MAX_ACTIVE })
    if (outcome === 'alert-limit-reached') throw new AppError(outcome, { limit: MAX_REGISTERED })
    return outcome
  }

  /** A launch takes every change that waits for one, not only this alert's. */
  async function relaunchPending(alert: Alert): Promise<void> {
    const registered = await store.listActive(alert.accountId)
    for (const processId of engine.pendingAt(alert)) {
      processes.relaunch(processId)
      engine.renew(processId, [...registered, ...oneOffs.activeAt(processId)])
    }
  }

  /** For each row, why what it tells does not arrive; null where it does. */
  async function troublesOf(rows: readonly ActiveAlert[]): Promise<(string | null)[]> {
    const channels = rows.map(({ alert, process }) => [
      ...destinationsOf(alert.id, process.processId, alert.setup.output).keys(),
    ])
    const standing = await delivery.standing(channels.flat())
    return channels.map((own) => {
      const sentences = own.flatMap((channel, index) => {
        const { trouble, waiting } = standing.get(channel) ?? { trouble: null, waiting: 0 }
        return trouble === null
          ? []
          : [
              `Output ${index + 1}: ${trouble.replace(/[^.!?]$/, '$&.')} Notifications that wait: ${waiting}; it is tried again.`,
            ]
      })
      return sentences.length > 0 ? sentences.join(' ') : null
    })
  }

  return {
    isPending,

    create: (account: Account, body: NewAlert): Promise<Alert> =>
      turns.take(account.id, async () => {
        const alert = await toAlert(account, body, null)
        const outcome = await store.insertWithinLimits(account, alert, limitsOf(account.id))
        if (outcome === 'alert-limit-reached') throw new AppError(outcome, { limit: MAX_REGISTERED })
        if (outcome === 'active-alert-limit-reached') throw new AppError(outcome, { limit: MAX_ACTIVE })
        if (alert.status === 'active') engine.enable(alert)
        return alert
      }),

    createOneOff: (account: Account, processId: string, body: NewAlert): Promise<Alert> =>
      turns.take(account.id, async () => {
        const alert = await toAlert(account, body, processId)
        await processes.checkLive(account, processId)
        checkPlaces(alert)
        if (oneOffs.countAt(processId) >= MAX_ACTIVE)
          throw new AppError('active-alert-limit-reached', { limit: MAX_ACTIVE })
        if (alert.status === 'active') await checkRoomAt(account, processId)
        oneOffs.put(alert)
        if (alert.status === 'active') engine.enable(alert)
        return alert
      }),

    list: (account: Account, page: PageRequest): Promise<Page<Alert>> => store.list(account.id, page),

    async listActive(account: Account): Promise<ActiveRow[]> {
      const registered = new Map((await store.listActive(account.id)).map((alert) => [alert.id, alert]))
      const rows = engine.list(account.id)
      const troubles = await troublesOf(rows)
      return rows.map((row, index) => {
        const current = registered.get(row.alert.id) ?? oneOffs.find(account.id, row.alert.id)
        const { processId } = row.process
        const facts = processes.factsOf(processId)
        return {
          ...row,
          isPending: current !== undefined && engine.pendingAt(current).includes(processId),
          problem:
            (facts &&
              problemWith(
                row.alert.setup,
                { ...facts, telemetryCfg: telemetry.cfgOf(processId) },
                row.hasSeenPlaces,
              )) ??
            troubles[index]!,
        }
      })
    },

    /** With `force`, pipelines that still run with the old configuration are launched anew. */
    change: (account: Account, alertId: string, change: AlertChange, force: boolean): Promise<Alert> =>
      turns.take(account.id, async () => {
        await checkNewOutputs(account, alertId, change)
        const alert = await write(account, alertId, change)
        if (alert.status === 'inactive') engine.disable(alert, 'alert-deactivated')
        else engine.enable(alert)
        if (force) await relaunchPending(alert)
        return alert
      }),

    remove: (account: Account, alertId: string): Promise<void> =>
      turns.take(account.id, async () => {
        const alert = oneOffs.find(account.id, alertId) ?? (await store.find(account.id, alertId))
        if (!alert) throw new AppError('alert-not-found', { alert_uuid: alertId })
        await engine.discard(alert)
        // The alert itself goes last: who is cut short here can delete it again.
        for (const channel of await sequences.channelsOf(alertId)) await delivery.drop(channel, 'all')
        await sequences.removeAlert(alertId)
        oneOffs.remove(alertId)
        await store.remove(account.id, alertId)
      }),
  }
}
