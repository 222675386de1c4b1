import { createMigratedDatabase } from './databases.ts'
import { createFakeNodes } from './fake-nodes.ts'

export { aLoad, aNode } from './fake-nodes.ts'

/** A database of its own with fake nodes. */
export async function createClusterRig() {
  const database = await createMigratedDatabase('postgres')
  const nodes = await createFakeNodes(database)
  return {
    ...database,
    ...nodes,
    async close(): Promise<void> {
      await nodes.disconnect()
      await database.remove()
    },
  }
}

export type ClusterRig = Awaited<ReturnType<typeof createClusterRig>>
