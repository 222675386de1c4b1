import { type ClusterNode, type NodeId } from '../core/node.ts'

/** A node that may be given something. */
export interface Candidate extends Pick<ClusterNode, 'id' | 'epoch' | 'labels' | 'isDraining'> {
  /** How many more fit, as it measured and less what it was given since; less than nothing where it is full. */
  readonly room: number
}

export interface NodeCriteria {
  /** Of those that were asked for, the node must have all. */
  readonly labels: readonly string[]
  /** Where it is best, the best first: where the video is live, where the file is. */
  readonly preferred: readonly NodeId[]
}

export type Choice = { readonly node: Candidate } | { readonly objection: string }

/**
 * The node that gets a process. One that is full gets it too, where no other has more room: all are looked at less often then,
 * which is better than one that is not looked at.
 */
export function chooseNode(candidates: readonly Candidate[], { labels, preferred }: NodeCriteria): Choice {
  const open = candidates.filter(({ isDraining }) => !isDraining)
  if (open.length === 0)
    return { objection: 'No node takes processes: all are draining. Let one take them again, or add one.' }
  const matching =
    labels.length === 0 ? open : open.filter((node) => labels.every((label) => node.labels.includes(label)))
  if (matching.length === 0) return { objection: noMatch(labels, open) }
  for (const id of preferred) {
    const node = matching.find((one) => one.id === id)
    if (node) return { node }
  }
  return { node: matching.reduce((best, node) => (node.room > best.room ? node : best)) }
}

const MAX_LABELS_SHOWN = 20

function noMatch(labels: readonly string[], open: readonly Candidate[]): string {
  const there = [...new Set(open.flatMap((node) => node.labels))].sort()
  const shown = there.slice(0, MAX_LABELS_SHOWN).join(', ')
  const known = there.length === 0 ? 'none has any label' : `there are ${shown}`
  return `No node that takes processes has ${labels.join(' and ')}; of those that run now ${known}. Ask for others, or start such a node.`
}
