import { AppError } from '../core/errors.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { type AccountAlerts } from './account-alerts.ts'
import { type AlertsElsewhere } from './alerts-elsewhere.ts'
import { type AlertLimits, type LimitReached } from './alerts.store.ts'
import { type OneOffs } from './one-offs.ts'

/** Alerts that an account may have registered. */
const MAX_REGISTERED = 100
/** Alerts that may be active at one process, one-off alerts included; as many one-off alerts may be there, active or not. */
const MAX_ACTIVE = 50

/** How many alerts there may be; what goes beyond is refused with the limit. */
export interface AlertLimiter {
  /** Of registered alerts, which the store counts. One-off alerts, at whichever node, take room from those that are active. */
  limitsOf(accountId: string): Promise<AlertLimits>
  checkRoomForOneOff(processId: string): void
  checkRoomForActive(processId: string): Promise<void>
}

export interface AlertLimiterDeps {
  readonly accountAlerts: Pick<AccountAlerts, 'listActiveAt'>
  readonly oneOffs: Pick<OneOffs, 'countAt' | 'maxActive'>
  readonly elsewhere: Pick<AlertsElsewhere, 'maxActiveOneOffs'>
  readonly processes: { factsOf(processId: string): ProcessRef | undefined }
}

export function createAlertLimiter({ accountAlerts, oneOffs, elsewhere, processes }: AlertLimiterDeps): AlertLimiter {
  return {
    async limitsOf(accountId) {
      const oneOffsAtOne = Math.max(oneOffs.maxActive(accountId), await elsewhere.maxActiveOneOffs(accountId))
      return { registered: MAX_REGISTERED, active: MAX_ACTIVE - oneOffsAtOne }
    },
    checkRoomForOneOff(processId) {
      if (oneOffs.countAt(processId) >= MAX_ACTIVE) throw limitError('active-alert-limit-reached')
    },
    async checkRoomForActive(processId) {
      const process = processes.factsOf(processId)
      const active = process ? await accountAlerts.listActiveAt(process) : []
      if (active.length >= MAX_ACTIVE) throw limitError('active-alert-limit-reached')
    },
  }
}

export function limitError(reached: LimitReached): AppError {
  return new AppError(reached, { limit: reached === 'alert-limit-reached' ? MAX_REGISTERED : MAX_ACTIVE })
}
