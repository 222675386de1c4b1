import { type ProcessRef } from '../core/process-facts.ts'
import { type Alert } from './alert.ts'
import { appliesTo } from './alert-scope.ts'
import { type AlertStore } from './alerts.store.ts'
import { type OneOffs } from './one-offs.ts'

/** The alerts of an account, whether registered or one-off. */
export interface AccountAlerts {
  find(accountId: string, alertId: string): Promise<Alert | undefined>
  /** Those that are active at one process. */
  listActiveAt(process: ProcessRef): Promise<Alert[]>
}

export interface AccountAlertsDeps {
  readonly store: Pick<AlertStore, 'find' | 'listActive'>
  readonly oneOffs: Pick<OneOffs, 'find' | 'activeAt'>
}

export function createAccountAlerts({ store, oneOffs }: AccountAlertsDeps): AccountAlerts {
  return {
    find: async (accountId, alertId) => oneOffs.find(accountId, alertId) ?? (await store.find(accountId, alertId)),
    listActiveAt: async (process) => [
      ...(await store.listActive(process.accountId)).filter((alert) => appliesTo(alert, process)),
      ...oneOffs.activeAt(process.processId),
    ],
  }
}
