import { sql } from 'kysely'
import { type Database, type Queryable } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { listRunningNodes } from '../storage/running-nodes.ts'

/**
 * For a service of one node, at its start: brings the tables up to date, and what belonged to nodes, as in a backup of theirs, is its own.
 * Throws while any of them runs, with nothing changed: both would do the same work, and nodes of an older version do not know newer tables.
 */
export async function serveAlone({ db, dialect }: Pick<Database, 'db' | 'dialect'>): Promise<void> {
  if (dialect === 'postgres') await requireNoNodes(db)
  await migrate(db)
  await db.transaction().execute(async (tx) => {
    if (dialect === 'postgres') {
      await requireNoNodes(tx)
      // Should one of them only stand still, it finds that it is none any more.
      await tx
        .updateTable('node')
        .set({ epoch: sql<number>`epoch + 1`, is_alive: 0 })
        .where('is_alive', '=', 1)
        .execute()
    }
    for (const table of ['process', 'source'] as const)
      await tx.updateTable(table).set({ node_id: null, node_epoch: null }).where('node_id', 'is not', null).execute()
    for (const table of ['recording', 'detection_file', 'clip', 'stored_file'] as const)
      await tx.updateTable(table).set({ node_id: null }).where('node_id', 'is not', null).execute()
    // Those that come again and again are this service's own from now on.
    await tx.deleteFrom('job').where('node_id', 'is not', null).where('unique_key', 'like', 'recurring@%').execute()
    await tx.updateTable('job').set({ node_id: null }).where('node_id', 'is not', null).execute()
    await tx.deleteFrom('live_path').execute()
  })
}

async function requireNoNodes(db: Queryable): Promise<void> {
  const running = await listRunningNodes(db)
  if (running.length === 0) return
  throw new Error(
    `This database is that of a service of several nodes, which runs: ${running.join(', ')}. ` +
      'Set AERIE_NATS_URL to make this one of them, or stop them first.',
  )
}
