import { type NodeId } from '../core/node.ts'
import { type Db } from '../storage/database.ts'

/** A camera that another node calls. */
export interface CameraElsewhere {
  readonly path: string
  readonly nodeId: NodeId
}

export interface CameraElsewhereStore {
  /** Connected or not. */
  listElsewhere(): Promise<CameraElsewhere[]>
}

export function createCameraElsewhereStore(db: Db, nodeId: NodeId): CameraElsewhereStore {
  return {
    async listElsewhere() {
      const rows = await db
        .selectFrom('source')
        .innerJoin('node', (join) =>
          join.onRef('node.id', '=', 'source.node_id').onRef('node.epoch', '=', 'source.node_epoch'),
        )
        .select(['source.media_path', 'node.id'])
        .distinct()
        .where('source.is_pulled', '=', 1)
        .where('node.is_alive', '=', 1)
        .where('node.id', '!=', nodeId)
        .execute()
      return rows.flatMap(({ media_path: path, id }) => (path === null ? [] : [{ path, nodeId: id }]))
    },
  }
}
