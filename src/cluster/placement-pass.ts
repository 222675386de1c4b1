import { type ClusterNode, type NodeId } from '../core/node.ts'
import { type Log } from '../observe/log.ts'
import { connectionName } from '../storage/node-admission.ts'
import { type Assigned, assignWork } from './assign-work.ts'
import { toCandidates } from './candidates.ts'
import { type Membership } from './membership.ts'
import { type NodeConnection, staleAmong } from './node-connections.store.ts'
import { type PlacementRound, type PlacementStore } from './placement.store.ts'
import { type Owner, type UnownedCamera, type UnownedProcess } from './unowned-work.store.ts'

export interface PlacementPassDeps {
  readonly store: PlacementStore
  readonly membership: Pick<Membership, 'id' | 'isWithinLease' | 'steadyDatabaseMs'>
  /** These nodes were given something; it is in the database. */
  readonly onPlaced: (nodeIds: readonly NodeId[]) => void
  readonly log: Log
}

/** Of one pass: declare, end connections, place. */
const MAX_STEPS = 4

/** Answers how many nodes are alive; undefined when another node has its turn. */
export function createPlacementPass({ store, membership, onPlaced, log }: PlacementPassDeps) {
  let shownRefusals = ''

  async function step(round: PlacementRound) {
    const steadyMs = membership.steadyDatabaseMs()
    const declared = steadyMs === undefined ? [] : await round.declareOverdue(membership.id, steadyMs)
    if (declared.length > 0) {
      log.warn({ nodes: declared }, 'these nodes are not heard of any more: their work goes to others')
      // What is connected is looked for after this is committed.
      return { alive: undefined, connections: [], placedOn: [], isDone: false }
    }
    // Between these two: whoever is alive in neither has what connections it will ever have; whoever is in one is let be.
    const before = await round.listNodes()
    const connections = await round.listConnections()
    const nodes = await round.listNodes()
    const stale = staleAmong(connections, nodes)
    const names = new Set(connections.map(({ name }) => name))
    const isFree = (owner: Owner | null) =>
      owner === null || (!isAmong(before, owner) && !names.has(connectionName(owner.nodeId, owner.epoch)))
    await round.removeDeadPaths()
    const placedOn = await place(round, nodes, isFree, steadyMs === undefined)
    return {
      alive: nodes.filter(({ isAlive }) => isAlive).length,
      connections: stale,
      placedOn,
      isDone: stale.length === 0,
    }
  }

  async function place(
    round: PlacementRound,
    nodes: readonly ClusterNode[],
    isFree: (owner: Owner | null) => boolean,
    isBackOnly: boolean,
  ): Promise<NodeId[]> {
    const unowned = (await round.listUnownedProcesses()).filter(({ owner }) => isFree(owner))
    const toItem = <T extends Pick<UnownedProcess, 'owner'>>(one: T) => ({
      ...one,
      formerly: one.owner?.nodeId ?? null,
    })
    const live = assignWork(
      unowned.filter(({ isLive }) => isLive).map(toItem),
      toCandidates(nodes, await round.countProcesses()),
      isBackOnly,
    )
    // What is left of those that have ended takes next to nothing.
    const ended = assignWork(
      unowned.filter(({ isLive }) => !isLive).map((process) => toItem({ ...process, labels: [], preferred: [] })),
      toCandidates(nodes).map((node) => ({ ...node, room: 0 })),
      isBackOnly,
    )
    await round.assignProcesses([...live.assignments, ...ended.assignments])
    // After these: a camera is called best where its process is.
    const calls = await round.countCameras()
    const free = (await round.listUnownedCameras()).filter(({ owner }) => isFree(owner))
    const sources = byCamera(free)
    const cameras = assignWork(
      [...sources.values()].map(([camera]) => toItem({ ...camera!, labels: [] })),
      toCandidates(nodes).map((node) => ({ ...node, room: -(calls.get(node.id) ?? 0) })),
      isBackOnly,
    )
    await round.assignCameras(
      cameras.assignments.flatMap((assignment) => sources.get(assignment.id)!.map(({ id }) => ({ ...assignment, id }))),
    )
    report(live, ended, cameras)
    return [live, ended, cameras].flatMap(({ assignments }) => assignments.map(({ nodeId }) => nodeId))
  }

  function report(live: Assigned, ended: Assigned, cameras: Assigned): void {
    const placed = {
      processes: live.assignments.length,
      ended: ended.assignments.length,
      cameras: cameras.assignments.length,
    }
    if (placed.processes + placed.ended + placed.cameras > 0) log.info(placed, 'placed what had no node')
    const refusals = live.refused.map(({ objection }) => objection).sort()
    const shown = [...new Set(refusals)].join(' ')
    if (shown !== '' && shown !== shownRefusals)
      log.warn({ processes: refusals.length }, `processes wait for a node: ${shown}`)
    shownRefusals = shown
  }

  /** A round is a dozen statements, and as a rule there is nothing to do in it. What is missed here is seen by the next one. */
  async function glance() {
    const { nodes, connectionNames, hasUnowned } = await store.glance()
    const stale = staleAmong(
      connectionNames.map((name) => ({ name })),
      nodes,
    )
    return { alive: nodes.filter(({ isAlive }) => isAlive).length, isIdle: !hasUnowned && stale.length === 0 }
  }

  return async (): Promise<number | undefined> => {
    if (!membership.isWithinLease()) return undefined
    const glanced = await glance()
    let alive = glanced.alive
    if (glanced.isIdle) {
      shownRefusals = ''
      return alive
    }
    for (let steps = 0; steps < MAX_STEPS && membership.isWithinLease(); steps++) {
      const outcome = await store.exclusively(step)
      if (!outcome) return alive
      alive = outcome.alive ?? alive
      if (outcome.placedOn.length > 0) onPlaced([...new Set(outcome.placedOn)])
      if (outcome.isDone) return alive
      await endAll(outcome.connections)
    }
    return alive
  }

  async function endAll(connections: readonly NodeConnection[]): Promise<void> {
    if (connections.length === 0) return
    log.warn({ connections: connections.length }, 'ending connections of nodes that are gone')
    await store.endConnections(connections)
  }
}

const isAmong = (nodes: readonly ClusterNode[], { nodeId, epoch }: Owner) =>
  nodes.some((node) => node.isAlive && node.id === nodeId && node.epoch === epoch)

/** Several sources may be one camera, which is called once: by its first one. */
function byCamera(cameras: readonly UnownedCamera[]): ReadonlyMap<string, readonly UnownedCamera[]> {
  const firstOf = new Map<string, string>()
  const sources = new Map<string, UnownedCamera[]>()
  for (const camera of cameras) {
    const first = (camera.path !== null && firstOf.get(camera.path)) || camera.id
    if (camera.path !== null) firstOf.set(camera.path, first)
    sources.set(first, [...(sources.get(first) ?? []), camera])
  }
  return sources
}
