/**
 * A real PostgreSQL for the store tests: one private server per run, in a temporary folder, on a free
 * loopback port, gone when the tests end. Vitest calls `setup` once before all test files.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type TestProject } from 'vitest/node'
import { databaseParent } from './support/database-parent.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const VERSIONS = '/usr/lib/postgresql'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const version = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0]!
  const bin = join(VERSIONS, version, 'bin')
  const folder = mkdtempSync(join(databaseParent(), 'aerie-postgres-'))
  const owner = unprivilegedOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')

  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'aerie', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await freePort()
  const settings = ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...owner,
    stdio: 'ignore',
  })

  const url = `postgres://aerie@127.0.0.1:${port}/postgres`
  await answers(url)
  project.provide('postgresUrl', url)
  return async () => {
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL refuses to run as root; Debian's package makes a user for it. */
function unprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (attempt === 100) throw error
      await sleep(100)
    }
  }
}
