import { type Alert } from './alert.ts'
import { type AlertStore } from './alerts.store.ts'
import { type Engine } from './engine.ts'
import { type OneOffs } from './one-offs.ts'

export interface RelaunchDeps {
  readonly engine: Pick<Engine, 'pendingAt' | 'renew'>
  readonly store: Pick<AlertStore, 'listActive'>
  readonly oneOffs: Pick<OneOffs, 'activeAt'>
  readonly processes: {
    /** Ends its pipeline and launches it anew with the same id, outputs, sockets and subscriptions. */
    relaunch(processId: string): void
  }
}

/** Where the alert runs as it was before its last change. A launch takes every change that waits for one, not only this alert's. */
export async function relaunchPending(
  alert: Alert,
  { engine, store, oneOffs, processes }: RelaunchDeps,
): Promise<void> {
  const registered = await store.listActive(alert.accountId)
  for (const processId of engine.pendingAt(alert)) {
    processes.relaunch(processId)
    engine.renew(processId, [...registered, ...oneOffs.activeAt(processId)])
  }
}
