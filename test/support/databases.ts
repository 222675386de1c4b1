import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { databaseParent } from './database-parent.ts'

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
  return dialect === 'sqlite' ? createSqlite() : createPostgres('template1')
}

export async function createMigratedDatabase(dialect: DialectName): Promise<TestDatabase> {
  return dialect === 'sqlite' ? createSqlite(inject('migratedSqlite')) : createPostgres(inject('migratedPostgres'))
}

function createSqlite(copyOf?: string): TestDatabase {
  const folder = mkdtempSync(join(databaseParent(), 'aerie-sqlite-'))
  const file = join(folder, 'test.db')
  if (copyOf !== undefined) copyFileSync(copyOf, file)
  const url = `sqlite:${file}`
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

async function createPostgres(template: string): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runOnServer(serverUrl, `create database ${name} template ${template}`)
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
