import { type NodesReport } from '@aerie/client'

export type NodeRecord = NodesReport['nodes'][number]

/** Not measured yet, or by a node that is gone. */
const UNKNOWN = '–'

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

type Measured = Pick<NodeRecord, 'load' | 'state'>
const loadOf = ({ load, state }: Measured) => (state === 'dead' ? null : load)

export const roomWords = (node: Measured) => loadOf(node)?.room?.toString() ?? UNKNOWN

export function coresWords(node: Measured): string {
  const load = loadOf(node)
  return load ? `${load.free_cores.toFixed(1)} of ${load.cores}` : UNKNOWN
}

/** What a node that drains still has to give away; empty for any other. */
export function leftWords({
  state,
  processes,
  files,
  cameras,
}: Pick<NodeRecord, 'state' | 'processes' | 'files' | 'cameras'>): string {
  if (state !== 'draining') return ''
  const left = [
    ...(processes > files ? [counted(processes - files, 'process', 'processes')] : []),
    ...(cameras > 0 ? [counted(cameras, 'camera', 'cameras')] : []),
  ]
  if (left.length > 0) return `${left.join(' and ')} left`
  return files > 0 ? `only ${counted(files, 'video file', 'video files')} left` : 'can be stopped'
}

export interface Summary {
  readonly kind: 'problem' | 'calm' | 'good'
  readonly sentence: string
}

/** What the operator should know first. */
export function summaryOf({
  nodes,
  unplaced,
}: {
  readonly nodes: readonly Pick<NodeRecord, 'node' | 'state'>[]
  readonly unplaced: NodesReport['unplaced']
}): Summary {
  const waiting = [
    ...(unplaced.processes > 0 ? [counted(unplaced.processes, 'process', 'processes')] : []),
    ...(unplaced.cameras > 0 ? [counted(unplaced.cameras, 'camera', 'cameras')] : []),
  ].join(' and ')
  const taking = nodes.filter(({ state }) => state === 'alive').length
  const gone = nodes.filter(({ state }) => state === 'silent' || state === 'dead').map(({ node }) => node)
  if (taking === 0)
    return { kind: 'problem', sentence: 'No node takes processes: let one take them again, or add one.' }
  if (waiting !== '')
    return { kind: 'calm', sentence: `Waiting for a node that takes it: ${waiting}. It takes seconds as a rule.` }
  if (gone.length > 0)
    return { kind: 'calm', sentence: `Not heard of: ${gone.join(', ')}. Others go on with what was there.` }
  return { kind: 'good', sentence: `${counted(taking, 'node takes', 'nodes take')} processes.` }
}
