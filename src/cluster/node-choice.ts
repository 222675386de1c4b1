import { toCandidates } from './candidates.ts'
import { type Choice, chooseNode } from './choose-node.ts'
import { type NodeChoiceStore } from './node-choice.store.ts'

/** Which node gets a process that is about to be started; or a sentence about why none does. */
export function createNodeChoice({ store }: { readonly store: NodeChoiceStore }) {
  return async (sourceId: string, labels: readonly string[]): Promise<Choice> => {
    const nodes = await store.listNodes()
    const [counts, preferred] = await Promise.all([store.countProcesses(), store.preferredFor(sourceId)])
    return chooseNode(toCandidates(nodes, counts), { labels, preferred })
  }
}
