/** One PostgreSQL per run for the store tests, gone when they end. Vitest calls `setup` once before all test files. */
import { type TestProject } from 'vitest/node'
import { startPostgres } from './support/postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return () => postgres.remove()
}
