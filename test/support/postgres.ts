import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { childrenOf } from './child-processes.ts'
import { databaseParent } from './database-parent.ts'
import { freePort } from './free-port.ts'

/** A real PostgreSQL, private, in a temporary folder, on a free port of loopback. */
export interface Postgres {
  readonly url: string
  query(text: string, values?: unknown[]): Promise<pg.QueryResult<Record<string, unknown>>>
  /** Starts it again where it was. */
  start(): Promise<void>
  /** Ends all of it as a power cut would. */
  kill(): Promise<void>
  /** All of it stands still, as on a machine whose disk hangs; or goes on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Stops it, and removes every trace. */
  remove(): Promise<void>
}

const VERSIONS = '/usr/lib/postgresql'

/** `parent` is on a disk for whoever measures. */
export async function startPostgres(
  settings: readonly string[] = ['fsync=off'],
  parent = databaseParent(),
): Promise<Postgres> {
  const version = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0]!
  const bin = join(VERSIONS, version, 'bin')
  const folder = mkdtempSync(join(parent, 'aerie-postgres-'))
  const owner = unprivilegedOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'aerie', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
  })
  const port = await freePort()
  const url = `postgres://aerie@127.0.0.1:${port}/postgres`
  const given = [...settings, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`]
  let server: ChildProcess
  let exited: Promise<unknown>

  async function start(): Promise<void> {
    const args = ['-D', data, '-p', String(port), ...given.flatMap((setting) => ['-c', setting])]
    server = spawn(join(bin, 'postgres'), args, { ...owner, stdio: 'ignore' })
    exited = new Promise((resolve) => server.once('exit', resolve))
    await answers(url)
  }

  await start()
  const pids = () => [server.pid!, ...childrenOf(server.pid!, '')]
  return {
    url,
    start,
    async query(text, values) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client.query<Record<string, unknown>>(text, values).finally(() => client.end())
    },
    async kill() {
      for (const pid of pids()) sendSignal(pid, 'SIGKILL')
      await exited
    },
    signal(signal) {
      for (const pid of pids()) sendSignal(pid, signal)
    },
    async remove() {
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** To one of its processes, which may have ended since it was listed. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** PostgreSQL refuses to run as root; Debian's package makes a user for it. */
function unprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
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
