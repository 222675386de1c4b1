import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely'

/**
 * SQLite for several processes on one file. A transaction takes the right to write when it begins, since one that has
 * read already can't wait for it any more ("database is locked"); those that only read say so. Migrations run in one
 * transaction, which SQLite is well able to do: a kill in the middle leaves nothing half done.
 */
export class WritingSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): Driver {
    return new WritingDriver(this.#config)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

class WritingDriver extends SqliteDriver {
  readonly #config: SqliteDialectConfig

  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }

  // Kysely passes every driver the settings; its own for SQLite has no use for them.
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  // On a full disk SQLite has rolled back already; that there is nothing to roll back would be said instead of why.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const { inTransaction } = this.#config.database as { inTransaction?: boolean }
    if (inTransaction !== false) await super.rollbackTransaction(connection)
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
