import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { inMessages } from '../core/message-parts.ts'
import { type NodeId } from '../core/node.ts'
import { type NodeExchange, type RequestTopic, resultInTime } from '../core/node-exchange.ts'
import { type ElsewhereProcess, type ProcessNodesStore } from '../storage/process-nodes.store.ts'
import { appliesTo } from './alert-scope.ts'
import { type ActiveRow } from './active-alerts.ts'
import { ActiveAlertRecord, toActiveRecord } from './alerts.schema.ts'
import { type AlertStore } from './alerts.store.ts'
import { type OneOffs } from './one-offs.ts'

type ActiveRecord = z.infer<typeof ActiveAlertRecord>

/** What other nodes have of the alerts of an account; a service that is alone has it all. */
export interface AlertsElsewhere {
  /** Of nodes that do not answer, what is to run there by the database, with that as the problem. */
  listActive(accountId: string): Promise<ActiveRecord[]>
  /** Registered alerts that still run there as they were before their last change, as far as nodes answer. */
  listPending(accountId: string): Promise<ReadonlySet<string>>
  /** Of a one-off alert on another node, its process there. Rejects with `node-unreachable` where a node that may have it does not answer. */
  findOneOff(accountId: string, alertId: string): Promise<string | undefined>
  /** How many one-off alerts are active at that process there that has most; none is known of a node that does not answer. */
  maxActiveOneOffs(accountId: string): Promise<number>
}

export interface AlertsElsewhereDeps {
  /** What runs here. */
  readonly listHere: (accountId: string) => Promise<readonly ActiveRow[]>
  readonly store: Pick<AlertStore, 'listActive' | 'find'>
  readonly oneOffs: Pick<OneOffs, 'find' | 'maxActive'>
  readonly processNodes: Pick<ProcessNodesStore, 'listElsewhere'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  readonly clock: Pick<Clock, 'sleep'>
}

const ofAccount = { accountId: z.string() }
/** Fifty alerts at a thousand processes; nobody runs more on one node. */
const MAX_ROWS = 50_000

const activeAlerts: RequestTopic<{ accountId: string; from: number }, { rows: ActiveRecord[]; isLast: boolean }> = {
  name: 'active-alerts',
  schema: z.object({ ...ofAccount, from: z.number().int().min(0).max(MAX_ROWS) }),
  responseSchema: z.object({ rows: z.array(ActiveAlertRecord), isLast: z.boolean() }),
}
const pendingAlerts: RequestTopic<{ accountId: string }, string[]> = {
  name: 'pending-alerts',
  schema: z.object(ofAccount),
  responseSchema: z.array(z.uuid()),
}
const oneOffAlert: RequestTopic<{ accountId: string; alertId: string }, { processId: string | null }> = {
  name: 'one-off-alert',
  schema: z.object({ ...ofAccount, alertId: z.string() }),
  responseSchema: z.object({ processId: z.string().nullable() }),
}

const activeOneOffs: RequestTopic<{ accountId: string }, { max: number }> = {
  name: 'active-one-offs',
  schema: z.object(ofAccount),
  responseSchema: z.object({ max: z.number().int().min(0) }),
}

export const allAlertsHere: AlertsElsewhere = {
  listActive: async () => [],
  listPending: async () => new Set(),
  findOneOff: async () => undefined,
  maxActiveOneOffs: async () => 0,
}

export function createAlertsElsewhere(deps: AlertsElsewhereDeps): AlertsElsewhere {
  const { listHere, store, oneOffs, processNodes, exchange, clock } = deps

  exchange.handle(activeAlerts, async ({ accountId, from }) => {
    const all = await listHere(accountId)
    const [rows = []] = inMessages(all.slice(from).map(toActiveRecord))
    return { rows, isLast: from + rows.length >= all.length }
  })
  exchange.handle(pendingAlerts, async ({ accountId }) => [
    ...new Set((await listHere(accountId)).flatMap(({ alert, isPending }) => (isPending ? [alert.id] : []))),
  ])
  exchange.handle(oneOffAlert, async ({ accountId, alertId }) => ({
    processId: oneOffs.find(accountId, alertId)?.processId ?? null,
  }))

  exchange.handle(activeOneOffs, async ({ accountId }) => ({ max: oneOffs.maxActive(accountId) }))

  async function readNodes(accountId: string): Promise<ReadonlyMap<NodeId, ElsewhereProcess[]>> {
    const byNode = new Map<NodeId, ElsewhereProcess[]>()
    for (const process of await processNodes.listElsewhere(accountId))
      if (process.nodeId !== null) byNode.set(process.nodeId, [...(byNode.get(process.nodeId) ?? []), process])
    return byNode
  }

  async function fetchActive(node: NodeId, accountId: string): Promise<ActiveRecord[]> {
    const rows: ActiveRecord[] = []
    for (let isLast = false; !isLast && rows.length < MAX_ROWS;) {
      const part = await exchange.request(node, activeAlerts, { accountId, from: rows.length })
      rows.push(...part.rows)
      isLast = part.isLast || part.rows.length === 0
    }
    return rows
  }

  /** What is to run there; its one-off alerts only it knows. */
  async function listWritten(accountId: string, processes: readonly ElsewhereProcess[]): Promise<ActiveRecord[]> {
    const active = await store.listActive(accountId)
    return processes.flatMap(({ processId, sourceId, nodeId }) =>
      active
        .map((alert) => ({ alert, process: { processId, sourceId, accountId } }))
        .filter(({ alert, process }) => appliesTo(alert, process))
        .map((row) => toActiveRecord({ ...row, isPending: false, problem: notAnswering(nodeId!) })),
    )
  }

  return {
    async listActive(accountId) {
      const lists = [...(await readNodes(accountId))].map(
        async ([node, processes]) =>
          (await resultInTime(fetchActive(node, accountId), clock)) ?? listWritten(accountId, processes),
      )
      return (await Promise.all(lists)).flat()
    },
    async listPending(accountId) {
      const nodes = [...(await readNodes(accountId)).keys()]
      const fetchPending = (node: NodeId) => resultInTime(exchange.request(node, pendingAlerts, { accountId }), clock)
      const lists = await Promise.all(nodes.map(fetchPending))
      return new Set(lists.flatMap((ids) => ids ?? []))
    },
    async findOneOff(accountId, alertId) {
      if (oneOffs.find(accountId, alertId) ?? (await store.find(accountId, alertId))) return undefined
      const nodes = [...(await readNodes(accountId)).keys()]
      const findAt = (node: NodeId) => resultInTime(exchange.request(node, oneOffAlert, { accountId, alertId }), clock)
      const answers = await Promise.all(nodes.map(findAt))
      const found = answers.find((answer) => typeof answer?.processId === 'string')
      if (found) return found.processId!
      const silent = nodes.find((_, index) => answers[index] === undefined)
      if (silent !== undefined) throw unreachable(silent)
      return undefined
    },
    async maxActiveOneOffs(accountId) {
      const nodes = [...(await readNodes(accountId)).keys()]
      const countAt = (node: NodeId) => resultInTime(exchange.request(node, activeOneOffs, { accountId }), clock)
      const answers = await Promise.all(nodes.map(countAt))
      return Math.max(0, ...answers.map((answer) => answer?.max ?? 0))
    },
  }
}

const notAnswering = (node: NodeId) =>
  `The node ${node}, on which its process runs, does not answer; this is what is to run there.`

function unreachable(node: NodeId): AppError {
  const seconds = 2
  return new AppError('node-unreachable', { node, retry_after_seconds: seconds }, { retryAfterSeconds: seconds })
}
