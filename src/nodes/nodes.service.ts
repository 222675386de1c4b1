import { type Account, FIRST_MASTER, isMaster } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type NodeId } from '../core/node.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type NodeRegistry } from './node-registry.ts'
import { type NodeState, nodeStateOf } from './node-state.ts'
import { type NodeRecord, type NodesReport, toNodeRecord } from './nodes.schema.ts'
import { NO_WORK, type PlacedProcess, type PlacedProcessStore } from './placed-processes.store.ts'

export interface NodeServiceDeps {
  readonly registry: NodeRegistry
  readonly placed: PlacedProcessStore
  /** Which of the nodes this service is. */
  readonly ownId: NodeId
  /** Its only one. */
  readonly isAlone: boolean
  /** Of a service that is alone, which writes down none. */
  readonly countStreams: () => number
}

type Caller = Pick<Account, 'id' | 'username' | 'masterId'>
export type NodeService = ReturnType<typeof createNodeService>

/** Nodes are seen by masters, and changed by the operator: what one does to them befalls all keys. */
export function createNodeService({ registry, placed, ownId, isAlone, countStreams }: NodeServiceDeps) {
  const mayChange = ({ username }: Caller) => username === FIRST_MASTER

  async function listNodes() {
    const [nodes, silent, counts] = await Promise.all([registry.list(), registry.listSilent(), placed.count()])
    const unplaced = counts.get(null) ?? NO_WORK
    const workOf = (id: NodeId) => (isAlone ? { ...unplaced, streams: countStreams() } : (counts.get(id) ?? NO_WORK))
    const records = nodes.map((node) => toNodeRecord(node, nodeStateOf(node, silent), workOf(node.id)))
    return { records, unplaced: isAlone ? NO_WORK : unplaced }
  }

  async function find(id: NodeId): Promise<NodeRecord> {
    const { records } = await listNodes()
    const found = records.find(({ node }) => node === id)
    if (!found)
      throw nodeNotFound(
        id,
        records.map(({ node }) => node),
      )
    return found
  }

  function checkMayChange(account: Caller): void {
    if (!mayChange(account)) throw new AppError('operator-key-required')
  }

  return {
    async list(account: Caller): Promise<NodesReport> {
      checkMaster(account)
      const { records, unplaced } = await listNodes()
      return {
        answered_by: ownId,
        is_alone: isAlone,
        may_change: mayChange(account),
        nodes: records,
        unplaced: { processes: unplaced.processes, cameras: unplaced.cameras },
      }
    },

    /** Those of the caller and its children. */
    async listProcesses(account: Caller, id: NodeId, page: PageRequest): Promise<Page<PlacedProcess>> {
      checkMaster(account)
      await find(id)
      return placed.list(isAlone ? null : id, account.id, page)
    },

    async setDraining(account: Caller, id: NodeId, isDraining: boolean): Promise<NodeRecord> {
      checkMayChange(account)
      await registry.setDraining(id, isDraining)
      return find(id)
    },

    async forget(account: Caller, id: NodeId): Promise<void> {
      checkMayChange(account)
      if (await registry.forget(id)) return
      const { state } = await find(id)
      throw notForgotten(id, state)
    },
  }
}

function checkMaster(account: Caller): void {
  if (!isMaster(account)) throw new AppError('master-key-required')
}

const MAX_NAMES_SHOWN = 20

export function nodeNotFound(id: NodeId, known: readonly NodeId[]): AppError {
  const shown = known.slice(0, MAX_NAMES_SHOWN).join(', ')
  return new AppError('node-not-found', { node: id, nodes: known.length > MAX_NAMES_SHOWN ? `${shown}, …` : shown })
}

/** Of one that is silent it is not known yet that it is dead. */
export function notForgotten(id: NodeId, state: NodeState): AppError {
  return new AppError(state === 'silent' ? 'node-silent' : 'node-alive', { node: id })
}
