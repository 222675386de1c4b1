import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { isSameTelemetry, type ListedSource } from './source.ts'
import { type ChangeSourceOutcome, type InsertSourceOutcome, type SourceStore } from './sources.store.ts'

/**
 * Whose every source is, what it is called, where its stream is, whether we call it, and how it is located, in memory: lists of processes and
 * figures show it all the time, and may not ask the database for each. As many as there are sources.
 */
export interface SourceDirectory {
  set(source: ListedSource): void
  remove(sourceId: string): void
  find(sourceId: string): ListedSource | undefined
  aliasOf(sourceId: string): string | undefined
  /** Whether it is registered with this telemetry now. */
  hasTelemetry(sourceId: string, cfg: TelemetryCfg | null): boolean
  list(): readonly ListedSource[]
}

export function createSourceDirectory(): SourceDirectory {
  const sources = new Map<string, ListedSource>()
  return {
    set: ({ id, accountId, alias, inputUrl, mediaPath, isPulled, telemetryCfg }) =>
      void sources.set(id, { id, accountId, alias, inputUrl, mediaPath, isPulled, telemetryCfg }),
    remove: (sourceId) => void sources.delete(sourceId),
    find: (sourceId) => sources.get(sourceId),
    aliasOf: (sourceId) => sources.get(sourceId)?.alias,
    hasTelemetry: (sourceId, cfg) => isSameTelemetry(sources.get(sourceId)?.telemetryCfg ?? null, cfg),
    list: () => [...sources.values()],
  }
}

/** The store, whose changes the directory learns; `onChange` gets the paths that the source had and has. */
export function withDirectory<Store extends Pick<SourceStore, 'insertWithinLimits' | 'change' | 'remove'>>(
  store: Store,
  directory: Pick<SourceDirectory, 'set' | 'remove' | 'find'>,
  onChange: (sourceId: string, paths: readonly string[]) => void = () => {},
): Store {
  function learn(outcome: InsertSourceOutcome | ChangeSourceOutcome): void {
    if (typeof outcome !== 'object' || !('source' in outcome)) return
    const { id, mediaPath } = outcome.source
    const before = 'before' in outcome ? outcome.before.mediaPath : null
    directory.set(outcome.source)
    onChange(
      id,
      [...new Set([before, mediaPath])].filter((path) => path !== null),
    )
  }

  return {
    ...store,
    async insertWithinLimits(...args: Parameters<SourceStore['insertWithinLimits']>) {
      const outcome = await store.insertWithinLimits(...args)
      learn(outcome)
      return outcome
    },
    async change(...args: Parameters<SourceStore['change']>) {
      const outcome = await store.change(...args)
      learn(outcome)
      return outcome
    },
    async remove(id: string) {
      const path = directory.find(id)?.mediaPath
      await store.remove(id)
      directory.remove(id)
      onChange(id, path ? [path] : [])
    },
  }
}
