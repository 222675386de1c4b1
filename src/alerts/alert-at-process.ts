import { type SpooledWriter } from '../core/delivery.ts'

/** Whose something is that waits in the spool. */
export interface AlertAtProcess {
  readonly alertId: string
  readonly processId: string
  /** The alert was removed: this takes the place of what waited of it. */
  readonly isRemoved?: true
}

export async function removeWaiting<Value extends AlertAtProcess>(
  writer: SpooledWriter<Value>,
  alertId: string,
  accountId: string,
): Promise<void> {
  const own = [...writer.waiting()].filter(([, value]) => value.alertId === alertId)
  const removals = own.map(([key, value]) => [key, { ...value, isRemoved: true as const }] as const)
  if (removals.length > 0) await writer.write(new Map(removals), () => accountId)
}

export const put = <Value extends AlertAtProcess>(writer: SpooledWriter<Value>, value: Value, accountId: string) =>
  writer.write(new Map([[keyOf(value), value]]), () => accountId)

export const keyOf = ({ alertId, processId }: AlertAtProcess) => `${alertId} ${processId}`
