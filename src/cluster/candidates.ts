import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Candidate } from './choose-node.ts'

/** The nodes that are alive, with the room that each has by now: what it measured, less what it was given since. */
export function toCandidates(
  nodes: readonly ClusterNode[],
  processes: ReadonlyMap<NodeId, number> = new Map<NodeId, number>(),
): Candidate[] {
  return nodes
    .filter(({ isAlive }) => isAlive)
    .map(({ id, epoch, labels, isDraining, load }) => ({
      id,
      epoch,
      labels,
      isDraining,
      // Where nobody knows how much a stream takes, a core each is a guess that is not too bold.
      room: (load ? (load.room ?? Math.floor(load.freeCores)) + load.processes : 0) - (processes.get(id) ?? 0),
    }))
}
