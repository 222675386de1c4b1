import { endStates } from '../core/process-facts.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Db } from '../storage/database.ts'

/**
 * What a service of one node has left in its database, when it is the first of several: its files are on this machine, and no other node
 * would look for them here, count them, or remove them. What goes on is placed, as all that has no node.
 */
export async function adoptFiles(db: Db, { id, epoch }: OwnNode): Promise<void> {
  const own = { node_id: id, node_epoch: epoch }
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('source').set(own).where('node_id', 'is', null).where('type', '=', 'file').execute()
    await tx.updateTable('process').set(own).where('node_id', 'is', null).where('state', 'in', endStates).execute()
    for (const table of ['recording', 'detection_file', 'clip', 'stored_file'] as const)
      await tx.updateTable(table).set({ node_id: id }).where('node_id', 'is', null).execute()
    // Those that come again and again are each node's own from now on.
    await tx.deleteFrom('job').where('node_id', 'is', null).where('unique_key', '=', 'recurring').execute()
  })
}
