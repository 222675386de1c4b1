import { type Alert } from './alert.ts'

/** Alerts that live with one process. They are in memory only: a restart of the service ends them. */
export interface OneOffs {
  find(accountId: string, id: string): Alert | undefined
  put(alert: Alert): void
  remove(id: string): void
  removeAllAt(processId: string): void
  activeAt(processId: string): Alert[]
  /** Active or not. */
  listOf(accountId: string): Alert[]
  /** Active or not. */
  countAt(processId: string): number
  /** How many are active at that process of an account that has most. */
  maxActive(accountId: string): number
}

export function createOneOffs(): OneOffs {
  const alerts = new Map<string, Alert>()
  const activeAt = (processId: string) =>
    [...alerts.values()].filter((alert) => alert.processId === processId && alert.status === 'active')

  return {
    find(accountId, id) {
      const alert = alerts.get(id)
      return alert?.accountId === accountId ? alert : undefined
    },
    put: (alert) => void alerts.set(alert.id, alert),
    remove: (id) => void alerts.delete(id),
    removeAllAt(processId) {
      for (const alert of alerts.values()) if (alert.processId === processId) alerts.delete(alert.id)
    },
    activeAt,
    listOf: (accountId) => [...alerts.values()].filter((alert) => alert.accountId === accountId),
    countAt: (processId) =>
      [...alerts.values()].reduce((sum, alert) => sum + (alert.processId === processId ? 1 : 0), 0),
    maxActive(accountId) {
      const counts = new Map<string | null, number>()
      for (const { accountId: owner, processId, status } of alerts.values())
        if (owner === accountId && status === 'active') counts.set(processId, (counts.get(processId) ?? 0) + 1)
      return Math.max(0, ...counts.values())
    },
  }
}
