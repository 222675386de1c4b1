import { type NodeId } from '../core/node.ts'
import { type OwnNode } from '../core/own-node.ts'

/** How a node numbers what it says to all of one topic: from 1 each time that it has joined. */
export interface SenderCount {
  readonly epoch: OwnNode['epoch']
  readonly count: number
}

/**
 * What each node said last, by its own count. NATS keeps the order in which a node says something, so what is not behind that was recorded
 * by somebody: it takes as much memory as there are nodes, however much they say.
 */
export interface SenderCounts {
  /** Notes it. `old` is what has been there, or is older than what has; `behind-gap` is new, and what was before it has not come. */
  advance(from: NodeId, count: SenderCount): 'new' | 'behind-gap' | 'old'
}

/** `forgetAfterMs`: what was recorded before is refused for its age by then. */
export function createSenderCounts(forgetAfterMs: number, steadyMs: () => number): SenderCounts {
  /** Who was silent for longest is first. */
  const latest = new Map<NodeId, SenderCount & { readonly atMs: number }>()

  function forgetSilent(): void {
    for (const [from, { atMs }] of latest) {
      if (steadyMs() - atMs <= forgetAfterMs) return
      latest.delete(from)
    }
  }

  return {
    advance(from, { epoch, count }) {
      forgetSilent()
      const last = latest.get(from)
      if (last && (epoch < last.epoch || (epoch === last.epoch && count <= last.count))) return 'old'
      latest.delete(from)
      latest.set(from, { epoch, count, atMs: steadyMs() })
      // Of who was not heard of before, or for long, nobody knows.
      if (!last) return 'new'
      return count === (epoch === last.epoch ? last.count : 0) + 1 ? 'new' : 'behind-gap'
    },
  }
}
