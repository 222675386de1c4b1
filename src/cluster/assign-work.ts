import { type NodeId } from '../core/node.ts'
import { type Candidate, chooseNode } from './choose-node.ts'

/** What has no node any more: a process, or a camera to be called. */
export interface Unowned {
  readonly id: string
  readonly labels: readonly string[]
  /** Where it is best, the best first. */
  readonly preferred: readonly NodeId[]
  /** The node that had it; null for what never had one. */
  readonly formerly: NodeId | null
}

export interface Assignment {
  readonly id: string
  readonly nodeId: NodeId
  readonly epoch: number
}

export interface Assigned {
  readonly assignments: readonly Assignment[]
  /** For which there is no node now, and why; they wait for one. */
  readonly refused: readonly { readonly id: string; readonly objection: string }[]
}

/**
 * Gives each of them a node, as evenly as there is room. A node that is back gets its own again, so that after a power cut nothing
 * moves; with `isBackOnly` nothing else is given away.
 */
export function assignWork(items: readonly Unowned[], candidates: readonly Candidate[], isBackOnly = false): Assigned {
  const nodes = new Map(candidates.map((node) => [node.id, node]))
  const assignments: Assignment[] = []
  const refused: { id: string; objection: string }[] = []
  for (const { id, labels, preferred, formerly } of items) {
    if (isBackOnly && (formerly === null || !nodes.has(formerly))) continue
    const wanted = formerly === null ? preferred : [...preferred, formerly]
    const choice = chooseNode([...nodes.values()], { labels, preferred: isBackOnly ? [formerly!] : wanted })
    if ('objection' in choice) {
      refused.push({ id, objection: choice.objection })
      continue
    }
    const { node } = choice
    if (isBackOnly && node.id !== formerly) continue
    nodes.set(node.id, { ...node, room: node.room - 1 })
    assignments.push({ id, nodeId: node.id, epoch: node.epoch })
  }
  return { assignments, refused }
}
