import { type NodeId } from '../core/node.ts'
import { type OwnNode } from '../core/own-node.ts'
import { isLive, liveStates, type ProcessState } from '../core/process-facts.ts'
import { type Queryable } from './database.ts'
import { inBatches } from './queries.ts'

/** A process that goes on as far as is written, and is another node's, or nobody's for the moment. */
export interface ElsewhereProcess {
  readonly processId: string
  readonly sourceId: string
  readonly state: ProcessState
  readonly nodeId: NodeId | null
}

/** Which node has which process. */
export interface ProcessNodesStore {
  /** Of these, those that go on elsewhere. */
  findElsewhere(processIds: readonly string[]): Promise<ElsewhereProcess[]>
  /** All of an account that go on elsewhere. */
  listElsewhere(accountId: string): Promise<ElsewhereProcess[]>
  /** Those that use one of these sources. */
  listUsersOf(sourceIds: readonly string[]): Promise<ElsewhereProcess[]>
  /** Those of these that do not go on any more: with their last state, or none where they are forgotten. */
  findEnded(processIds: readonly string[]): Promise<{ processId: string; state: ProcessState | undefined }[]>
}

/** Also within a transaction. */
export function createProcessNodesStore(db: Queryable, node: OwnNode): ProcessNodesStore {
  const elsewhere = () =>
    db
      .selectFrom('process')
      .select(['id', 'source_id', 'state', 'node_id'])
      .where('state', 'in', liveStates)
      .where((eb) => eb.or([eb('node_id', '!=', node.id), eb('node_id', 'is', null)]))
      .orderBy('id')
  type Row = Awaited<ReturnType<ReturnType<typeof elsewhere>['execute']>>[number]
  const toElsewhere = (row: Row): ElsewhereProcess => ({
    processId: row.id,
    sourceId: row.source_id,
    state: row.state,
    nodeId: row.node_id,
  })

  return {
    async findElsewhere(processIds) {
      const found: ElsewhereProcess[] = []
      for (const ids of inBatches(processIds))
        found.push(...(await elsewhere().where('id', 'in', ids).execute()).map(toElsewhere))
      return found
    },
    async listElsewhere(accountId) {
      return (await elsewhere().where('account_id', '=', accountId).execute()).map(toElsewhere)
    },
    async listUsersOf(sourceIds) {
      const found: ElsewhereProcess[] = []
      for (const ids of inBatches(sourceIds))
        found.push(...(await elsewhere().where('source_id', 'in', ids).execute()).map(toElsewhere))
      return found
    },
    async findEnded(processIds) {
      const states = new Map<string, ProcessState>()
      for (const ids of inBatches(processIds))
        for (const { id, state } of await db
          .selectFrom('process')
          .select(['id', 'state'])
          .where('id', 'in', ids)
          .execute())
          states.set(id, state)
      return processIds.flatMap((processId) => {
        const state = states.get(processId)
        return state && isLive(state) ? [] : [{ processId, state }]
      })
    },
  }
}
