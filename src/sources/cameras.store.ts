import { type OwnNode } from '../core/own-node.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { type Db, type Queryable } from '../storage/database.ts'
import { findTaken, isOfNode } from '../storage/queries.ts'
import { type SourceRow } from '../storage/schema.ts'
import { toSource } from './source-row.ts'
import { type Source } from './source.ts'

/** Cameras that we call, and which node does. */
export interface CameraStore {
  /** Of an account, whichever node calls them, also those that have no path yet. */
  listPulled(accountId: string): Promise<Source[]>
  /** Those that are taken up, likewise; of all, those that are this node's. */
  listTakenCameras(ids: TakenIds): Promise<Source[]>
  /** On this path, those that this node calls. */
  listCamerasAt(path: string): Promise<Source[]>
}

export function createCameraStore(db: Db, node: OwnNode | null): CameraStore {
  const cameras = db.selectFrom('source').selectAll().where('is_pulled', '=', 1).orderBy('id')

  return {
    async listPulled(accountId) {
      return (await cameras.where('account_id', '=', accountId).execute()).map(toSource)
    },
    async listTakenCameras(ids) {
      const rows = await findTaken(ids, (some) =>
        cameras.where((eb) => (some ? eb('id', 'in', some) : isOfNode(node))).execute(),
      )
      return rows.map(toSource)
    },
    async listCamerasAt(path) {
      return (await cameras.where('media_path', '=', path).where(isOfNode(node)).execute()).map(toSource)
    },
  }
}

/** One node has a file, or calls a camera with whatever else is the same camera; a stream comes to whichever it is sent to. */
export async function nodeColumnsOf(
  tx: Queryable,
  { id, type, isPulled, mediaPath }: Source,
  node: OwnNode | null,
): Promise<Pick<SourceRow, 'node_id' | 'node_epoch'>> {
  const own = { node_id: node?.id ?? null, node_epoch: node?.epoch ?? null }
  if (type === 'file') return own
  if (!isPulled) return { node_id: null, node_epoch: null }
  const others = tx.selectFrom('source').select(['node_id', 'node_epoch']).where('media_path', '=', mediaPath)
  return (await others.where('is_pulled', '=', 1).where('id', '!=', id).limit(1).executeTakeFirst()) ?? own
}
