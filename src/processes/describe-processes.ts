import { z } from 'zod'
import { answeredInTime, type NodeExchange, type Question } from '../core/node-exchange.ts'
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
  readonly exchange: Pick<NodeExchange, 'ask' | 'onAsked'>
  readonly clock: Pick<Clock, 'sleep'>
}

/** So many fit into a message, with all their outputs. */
const MAX_IN_QUESTION = 10
const MAX_ASKED_AT_ONCE = 16

const question: Question<{ processIds: string[] }, Description[]> = {
  name: 'describe-processes',
  shape: z.object({ processIds: z.array(z.uuid()).max(MAX_IN_QUESTION) }),
  answer: z.array(ProcessInfo),
}

/**
 * Of processes that run on other nodes, these have the figures: they are asked, and a process of one that does not answer is shown as it
 * was written last.
 */
export function createDescribeProcesses(deps: DescribeProcessesDeps): DescribeProcesses {
  const { describe, findHere, store, exchange, clock } = deps

  exchange.onAsked(question, ({ processIds }) =>
    Promise.all(processIds.flatMap((id) => findHere(id) ?? []).map(describe)),
  )

  /** Adds what nodes say of these processes to `described`: null of one that has ended there, or moved. */
  async function askAll(
    places: ReadonlyMap<string, NodeId>,
    described: Map<string, Description | null>,
  ): Promise<void> {
    await forEachAtOnce(toQuestions(places), MAX_ASKED_AT_ONCE, async ({ node, processIds }) => {
      const answer = await exchange.ask(node, question, { processIds }).catch(() => undefined)
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
    await answeredInTime(askAll(places, described), clock)
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

interface QuestionToNode {
  readonly node: NodeId
  readonly processIds: string[]
}

function toQuestions(places: ReadonlyMap<string, NodeId>): QuestionToNode[] {
  const questions: QuestionToNode[] = []
  const open = new Map<NodeId, QuestionToNode>()
  for (const [processId, node] of places) {
    const last = open.get(node)
    const one = last && last.processIds.length < MAX_IN_QUESTION ? last : { node, processIds: [] }
    if (one !== last) questions.push(one)
    open.set(node, one)
    one.processIds.push(processId)
  }
  return questions
}

function notAnswering(node: NodeId): string {
  return `The node ${node}, on which it runs, does not answer: this is as it was last written to the database.`
}
