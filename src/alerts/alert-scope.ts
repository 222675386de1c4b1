import { type ProcessRef } from '../core/process-facts.ts'
import { type Alert } from './alert.ts'

/** Where an alert looks: at every process, at those of some sources, or at one process only. */
export const alertScopes = ['all', 'sources', 'process'] as const
export type AlertScope = (typeof alertScopes)[number]

type Scoped = Pick<Alert, 'processId' | 'sourceIds'>

export function scopeOf({ processId, sourceIds }: Scoped): AlertScope {
  if (processId !== null) return 'process'
  return sourceIds === null ? 'all' : 'sources'
}

export function appliesTo({ processId, sourceIds }: Scoped, process: ProcessRef): boolean {
  if (processId !== null) return processId === process.processId
  return sourceIds === null || sourceIds.includes(process.sourceId)
}

/** How many alerts would be active at one process, where they are most, once this one is active beside the others. */
export function countWith(alert: Pick<Alert, 'sourceIds'>, others: readonly Pick<Alert, 'sourceIds'>[]): number {
  const counts = new Map<string, number>()
  for (const { sourceIds } of others) for (const id of sourceIds ?? []) counts.set(id, (counts.get(id) ?? 0) + 1)
  const everywhere = others.filter(({ sourceIds }) => sourceIds === null).length
  const own = alert.sourceIds ?? [...counts.keys()]
  return 1 + everywhere + Math.max(0, ...own.map((id) => counts.get(id) ?? 0))
}
