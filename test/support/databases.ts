import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'

export type DialectName = 'sqlite' | 'postgres'
/** For `describe.each`: every store is tested on both. */
export const dialects: readonly DialectName[] = ['sqlite', 'postgres']

export interface TestDatabase extends Database {
  readonly url: string
  /** Closes it and removes every trace. */
  remove(): Promise<void>
}

/** A new, empty database of its own. */
export async function createTestDatabase(dialect: DialectName): Promise<TestDatabase> {
  return dialect === 'sqlite' ? createSqlite() : createPostgres()
}

export async function createMigratedDatabase(dialect: DialectName): Promise<TestDatabase> {
  const database = await createTestDatabase(dialect)
  await migrate(database.db)
  return database
}

function createSqlite(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-sqlite-'))
  const url = `sqlite:${join(folder, 'test.db')}`
  const database = openDatabase(url)
  return {
    ...database,
    url,
    async remove() {
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function createPostgres(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnServer(serverUrl, `create database ${name}`)
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  const database = openDatabase(url)
  return {
    ...database,
    url,
    async remove() {
      await database.close()
      await runOnServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
