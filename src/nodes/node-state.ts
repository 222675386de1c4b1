import { type ClusterNode } from '../core/node.ts'

/** `silent`: its lease is over, and it is declared dead within seconds, or as soon as another node runs that can. */
export const nodeStates = ['alive', 'draining', 'silent', 'dead'] as const
export type NodeState = (typeof nodeStates)[number]

export function nodeStateOf(
  { id, isAlive, isDraining }: Pick<ClusterNode, 'id' | 'isAlive' | 'isDraining'>,
  silent: readonly string[],
): NodeState {
  if (!isAlive) return 'dead'
  if (silent.includes(id)) return 'silent'
  return isDraining ? 'draining' : 'alive'
}
