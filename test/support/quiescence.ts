import { type Db } from '../../src/storage/database.ts'

/**
 * Resolves, whenever it is called, when what a database is asked now is answered, and nothing more is asked because of it. To be made
 * before the first query.
 */
export function createQuiescence(db: Db): () => Promise<void> {
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  let underWay = 0
  // Queries and transactions all take a connection by it.
  executor.provideConnection = async (consumer) => {
    underWay += 1
    try {
      return await provide(consumer)
    } finally {
      underWay -= 1
    }
  }

  return async () => {
    for (let quietTurns = 0; quietTurns < 20;) {
      await new Promise((resolve) => setImmediate(resolve))
      quietTurns = underWay === 0 ? quietTurns + 1 : 0
    }
  }
}
