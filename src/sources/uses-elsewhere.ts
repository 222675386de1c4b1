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
}

/** Sources that processes of other nodes use; a service that is alone has none. */
export interface UsesElsewhere {
  /** Whether one does, as far as is written: what must not be wrong depends on no node that may be away. */
  isUsed(sourceId: string): Promise<boolean>
  /** Of these, those that are used, and how: as their nodes respond, and with nothing more of nodes that do not. */
  find(sourceIds: readonly string[]): Promise<ReadonlyMap<string, readonly SourceUse[]>>
  /** Processes that work with telemetry that this source had before, as far as nodes answer. */
  listWithOldTelemetry(sourceId: string): Promise<readonly string[]>
}

export interface UsesElsewhereDeps {
  readonly store: Pick<ProcessNodesStore, 'listUsersOf'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  /** By processes of this node. */
  readonly useOf: (sourceId: string) => SourceUse
  /** Those of this node, by what the source has in the database now. */
  readonly listOwnWithOldTelemetry: (sourceId: string) => Promise<readonly string[]>
  readonly clock: Pick<Clock, 'sleep'>
}

const MAX_IN_REQUEST = 50
const MAX_REQUESTS_AT_ONCE = 16
/** What a node responds fits into a message. */
const MAX_OLD = 1_000

const sourceUse: RequestTopic<{ sourceIds: string[] }, (SourceUse & { sourceId: string })[]> = {
  name: 'source-use',
  schema: z.object({ sourceIds: z.array(z.uuid()).max(MAX_IN_REQUEST) }),
  responseSchema: z.array(
    z.object({
      sourceId: z.uuid(),
      isVideoNeeded: z.boolean(),
      lastTelemetry: z.object({ atMs: z.number(), ageMs: z.number() }).nullable(),
      telemetryError: z.string().nullable(),
    }),
  ),
}
const oldTelemetry: RequestTopic<{ sourceId: string }, string[]> = {
  name: 'old-telemetry',
  schema: z.object({ sourceId: z.uuid() }),
  responseSchema: z.array(z.uuid()),
}

export const usedNowhereElse: UsesElsewhere = {
  isUsed: async () => false,
  find: async () => new Map(),
  listWithOldTelemetry: async () => [],
}

export function createUsesElsewhere(deps: UsesElsewhereDeps): UsesElsewhere {
  const { store, exchange, useOf, listOwnWithOldTelemetry, clock } = deps
  exchange.handle(sourceUse, async ({ sourceIds }) => sourceIds.map((sourceId) => ({ ...useOf(sourceId), sourceId })))
  exchange.handle(oldTelemetry, async ({ sourceId }) => (await listOwnWithOldTelemetry(sourceId)).slice(0, MAX_OLD))

  return {
    isUsed: async (sourceId) => (await store.listUsersOf([sourceId])).length > 0,
    async find(sourceIds) {
      const users = await store.listUsersOf(sourceIds)
      const uses = new Map<string, SourceUse[]>(users.map(({ sourceId }) => [sourceId, []]))
      const requests = forEachAtOnce(toRequests(users), MAX_REQUESTS_AT_ONCE, async ({ node, sourceIds: ids }) => {
        const response = await exchange.request(node, sourceUse, { sourceIds: ids }).catch(() => [])
        for (const { sourceId, ...use } of response) uses.get(sourceId)?.push(use)
      })
      await resultInTime(requests, clock)
      return uses
    },
    async listWithOldTelemetry(sourceId) {
      const users = await store.listUsersOf([sourceId])
      const nodes = new Set(users.flatMap(({ nodeId }) => nodeId ?? []))
      const requestOf = (node: NodeId) => resultInTime(exchange.request(node, oldTelemetry, { sourceId }), clock)
      const lists = await Promise.all([...nodes].map(requestOf))
      return lists.flatMap((ids) => ids ?? [])
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
