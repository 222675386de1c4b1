import { type Db } from '../../src/storage/database.ts'

/** A node that is no more than its row. */
export async function addNodeRow(db: Db, id: string, isAlive = true): Promise<void> {
  const columns = { instance: id, rtsp_url: null, labels: '[]', load: null, version: '1', schema_version: '1' }
  await db
    .insertInto('node')
    .values({ ...columns, id, epoch: 7, is_alive: Number(isAlive), lease_until: 0, is_draining: 0, started_at: 0 })
    .execute()
}
