import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type App, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { type Clock } from '../../src/core/clock.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseParent } from './database-parent.ts'

export const MASTER_KEY = 'ak_master-key-of-the-tests-0123456789'

export interface TestApp extends App {
  readonly logLines: string[]
  /** One request without a socket; JSON in, JSON out. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  remove(): Promise<void>
}

export interface CallOptions {
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  // Tests look into answers of many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any
  readonly headers: Record<string, string | string[] | number | undefined>
  readonly text: string
}

/** The whole application without a port, on a new SQLite database: migrations of its own would take most of its start. */
export async function createTestApp(settings: Record<string, string> = {}, clock?: Clock): Promise<TestApp> {
  const folder = mkdtempSync(join(databaseParent(), 'aerie-app-'))
  const config = loadConfig({ AERIE_DATA_DIR: folder, AERIE_MASTER_KEY: MASTER_KEY, ...settings })
  const file = join(config.dataDir, 'aerie.db')
  if (!existsSync(file)) copyFileSync(inject('migratedSqlite'), file)
  const logLines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => void logLines.push(line) })
  const app = await createApp(config, log, clock ? { clock } : {})
  return {
    ...app,
    logLines,
    async call(method, path, { key = config.masterKey, body, headers = {} } = {}) {
      const response = await app.http.inject({
        method: method as 'GET',
        url: path,
        headers: {
          ...(key && { api_key: key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const isJson = String(response.headers['content-type']).includes('json')
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        body: isJson ? response.json() : undefined,
      }
    },
    async remove() {
      await app.close()
      rmSync(folder, { recursive: true })
    },
  }
}
