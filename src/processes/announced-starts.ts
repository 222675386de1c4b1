import { type ProcessCluster } from './process-cluster.ts'
import { type ProcessStore } from './processes.store.ts'

/**
 * Says of each process that it is begun here before it is written. Otherwise a node of several, which looks at what was given to it,
 * would take it for one of another node's.
 */
export function withAnnouncedStarts(
  store: ProcessStore,
  cluster: Pick<ProcessCluster, 'expect'> | undefined,
): ProcessStore {
  if (!cluster) return store
  return {
    ...store,
    async insertWithinLimits(account, process) {
      const forget = cluster.expect(process.id)
      try {
        const outcome = await store.insertWithinLimits(account, process)
        if (outcome !== 'inserted') forget()
        return outcome
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}
