import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { forEachAtOnce } from '../core/for-each-at-once.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type NodeExchange, type RequestTopic, resultInTime } from '../core/node-exchange.ts'
import { type NodeId } from '../core/node.ts'
import { type ElsewhereProcess, type ProcessNodesStore } from '../storage/process-nodes.store.ts'

/** What the processes of a node have to say of a source that they use. */
export interface SourceUse {
  readonly isVideoNeeded: boolean
  readonly lastTelemetry: LastSeen | null
  readonly telemetryError: string | null
  /** Those that work with telemetry that it had before. */
  readonly withOldTelemetry: readonly string[]
}

/** Sources that processes of other nodes use; a service that is alone has none. */
export interface UsesElsewhere {
  /** Whether one does, as far as is written: what must not be wrong depends on no node that may be away. */
  isUsed(sourceId: string): Promise<boolean>
  /** Of these, those that are used, and how: as their nodes respond, and with nothing more of nodes that do not. */
  find(sourceIds: readonly string[]): Promise<ReadonlyMap<string, readonly SourceUse[]>>
}

export interface UsesElsewhereDeps {
  readonly store: Pick<ProcessNodesStore, 'listUsersOf'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  /** By processes of this node. */
  readonly useOf: (sourceId: string) => SourceUse
  readonly clock: Pick<Clock, 'sleep'>
}

const MAX_IN_REQUEST = 50
const MAX_REQUESTS_AT_ONCE = 16
/** Of one source: what a node responds fits into a message. */
const MAX_OLD = 10

const topic: RequestTopic<{ sourceIds: string[] }, (SourceUse & { sourceId: string })[]> = {
  name: 'source-use',
  schema: z.object({ sourceIds: z.array(z.uuid()).max(MAX_IN_REQUEST) }),
  responseSchema: z.array(
    z.object({
      sourceId: z.uuid(),
      isVideoNeeded: z.boolean(),
      lastTelemetry: z.object({ atMs: z.number(), ageMs: z.number() }).nullable(),
      telemetryError: z.string().nullable(),
      withOldTelemetry: z.array(z.uuid()),
    }),
  ),
}

export const usedNowhereElse: UsesElsewhere = { isUsed: async () => false, find: async () => new Map() }

export function createUsesElsewhere({ store, exchange, useOf, clock }: UsesElsewhereDeps): UsesElsewhere {
  exchange.handle(topic, async ({ sourceIds }) =>
    sourceIds.map((sourceId) => {
      const use = useOf(sourceId)
      return { ...use, sourceId, withOldTelemetry: use.withOldTelemetry.slice(0, MAX_OLD) }
    }),
  )

  return {
    isUsed: async (sourceId) => (await store.listUsersOf([sourceId])).length > 0,
    async find(sourceIds) {
      const users = await store.listUsersOf(sourceIds)
      const uses = new Map<string, SourceUse[]>(users.map(({ sourceId }) => [sourceId, []]))
      const requests = forEachAtOnce(toRequests(users), MAX_REQUESTS_AT_ONCE, async ({ node, sourceIds: ids }) => {
        const response = await exchange.request(node, topic, { sourceIds: ids }).catch(() => [])
        for (const { sourceId, ...use } of response) uses.get(sourceId)?.push(use)
      })
      await resultInTime(requests, clock)
      return uses
    },
  }
}

interface RequestToNode {
  readonly node: NodeId
  readonly sourceIds: string[]
}

function toRequests(users: readonly ElsewhereProcess[]): RequestToNode[] {
  const byNode = new Map<NodeId, Set<string>>()
  for (const { nodeId, sourceId } of users)
    if (nodeId !== null) byNode.set(nodeId, (byNode.get(nodeId) ?? new Set()).add(sourceId))
  return [...byNode].flatMap(([node, ids]) => {
    const all = [...ids]
    const count = Math.ceil(all.length / MAX_IN_REQUEST)
    return Array.from({ length: count }, (_, index) => ({
      node,
      sourceIds: all.slice(index * MAX_IN_REQUEST, (index + 1) * MAX_IN_REQUEST),
    }))
  })
}
