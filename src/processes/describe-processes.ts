import { z } from 'zod'
import { resultInTime, type NodeExchange, type RequestTopic } from '../core/node-exchange.ts'
import { type Clock } from '../core/clock.ts'
import { forEachAtOnce } from '../core/for-each-at-once.ts'
import { type NodeId } from '../core/node.ts'
import { isLive } from '../core/process-facts.ts'
import { type DescribeProcess } from './describe-process.ts'
import { type ProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type Process } from './process.ts'
import { ProcessInfo } from './processes.schema.ts'

type Description = z.infer<typeof ProcessInfo>

/** Several processes as the API shows them, in their order. */
export type DescribeProcesses = (processes: readonly Process[]) => Promise<Description[]>

export interface DescribeProcessesDeps {
  readonly describe: DescribeProcess
  /** As it runs here; undefined of one that does not. */
  readonly findHere: (processId: string) => Process | undefined
  readonly store: Pick<ProcessNodesStore, 'findElsewhere'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
  readonly clock: Pick<Clock, 'sleep'>
}

/** So many fit into a message, with all their outputs. */
const MAX_IN_REQUEST = 10
const MAX_CONCURRENT_REQUESTS = 16

const describeTopic: RequestTopic<{ processIds: string[] }, Description[]> = {
  name: 'describe-processes',
  schema: z.object({ processIds: z.array(z.uuid()).max(MAX_IN_REQUEST) }),
  responseSchema: z.array(ProcessInfo),
}

/**
 * Of processes that run on other nodes, these have the figures; a process of one that does not answer is shown as it was written last.
 */
export function createDescribeProcesses(deps: DescribeProcessesDeps): DescribeProcesses {
  const { describe, findHere, store, exchange, clock } = deps

  exchange.handle(describeTopic, ({ processIds }) =>
    Promise.all(processIds.flatMap((id) => findHere(id) ?? []).map(describe)),
  )

  /** Adds the descriptions that nodes have of these processes to `described`: null of one that has ended there, or moved. */
  async function requestAll(
    places: ReadonlyMap<string, NodeId>,
    described: Map<string, Description | null>,
  ): Promise<void> {
    await forEachAtOnce(toRequests(places), MAX_CONCURRENT_REQUESTS, async ({ node, processIds }) => {
      const answer = await exchange.request(node, describeTopic, { processIds }).catch(() => undefined)
      if (!answer) return
      for (const processId of processIds) described.set(processId, null)
      for (const one of answer) described.set(one.process_uuid, one)
    })
  }

  async function readPlaces(processes: readonly Process[]): Promise<ReadonlyMap<string, NodeId>> {
    const away = processes.filter(({ id, state }) => isLive(state) && !findHere(id)).map(({ id }) => id)
    const found = away.length > 0 ? await store.findElsewhere(away) : []
    return new Map(found.flatMap(({ processId, nodeId }) => (nodeId === null ? [] : [[processId, nodeId]])))
  }

  return async (processes) => {
    const places = await readPlaces(processes)
    const described = new Map<string, Description | null>()
    await resultInTime(requestAll(places, described), clock)
    const describeOne = async (process: Process) => {
      const known = described.get(process.id)
      if (known) return known
      const node = known === undefined ? places.get(process.id) : undefined
      const written = await describe(process)
      return node === undefined ? written : { ...written, problem: notAnswering(node) }
    }
    return Promise.all(processes.map(describeOne))
  }
}

interface NodeRequest {
  readonly node: NodeId
  readonly processIds: string[]
}

function toRequests(places: ReadonlyMap<string, NodeId>): NodeRequest[] {
  const requests: NodeRequest[] = []
  const open = new Map<NodeId, NodeRequest>()
  for (const [processId, node] of places) {
    const last = open.get(node)
    const one = last && last.processIds.length < MAX_IN_REQUEST ? last : { node, processIds: [] }
    if (one !== last) requests.push(one)
    open.set(node, one)
    one.processIds.push(processId)
  }
  return requests
}

function notAnswering(node: NodeId): string {
  return `The node ${node}, on which it runs, does not answer: this is as it was last written to the database.`
}
