/** One database of each kind with all migrations, for the store tests to copy: a copy costs a fraction of the migrations. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type TestProject } from 'vitest/node'
import { openDatabase } from '../src/storage/database.ts'
import { migrate } from '../src/storage/migrate.ts'
import { databaseParent } from './support/database-parent.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    migratedSqlite: string
    migratedPostgres: string
  }
}

export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(databaseParent(), 'aerie-migrated-'))
  const file = join(folder, 'migrated.db')
  await migrateAt(`sqlite:${file}`)
  project.provide('migratedSqlite', file)

  const serverUrl = project.getProvidedContext().postgresUrl
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query('create database migrated')
  await client.end()
  await migrateAt(serverUrl.replace(/\/postgres$/, '/migrated'))
  project.provide('migratedPostgres', 'migrated')
  return () => rmSync(folder, { recursive: true })
}

async function migrateAt(url: string): Promise<void> {
  const database = openDatabase(url)
  await migrate(database.db)
  await database.close()
}
