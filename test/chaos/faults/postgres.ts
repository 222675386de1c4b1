import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Postgres } from '../../support/postgres.ts'
import { type Fault, type Goals } from '../fault.ts'
import { type Load } from '../load.ts'

/** Live video and detection go on; requests are answered by 503 meanwhile, and notifications wait. */
const back = (goalMs: number): Goals => ({
  API: goalMs,
  ready: goalMs + 11_000,
  webhook: goalMs + 5_000,
  MQTT: goalMs + 5_000,
})

const fault = (
  name: string,
  goals: Goals,
  breakIt: (postgres: Postgres) => Promise<void>,
  rest: Partial<Fault> = { notReady: 'database' },
): Fault => ({
  name: `PostgreSQL ${name}`,
  database: 'postgres',
  goals,
  lasts: true,
  ...rest,
  inject: ({ postgres }: Load) => breakIt(postgres!),
})

async function endConnections({ url }: Postgres): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
  await client.end()
}

export const postgresFaults: readonly Fault[] = [
  fault('killed, and back after 20 s', back(5_000), async (postgres) => {
    await postgres.kill()
    await sleep(20_000)
    await postgres.start()
  }),
  fault('hangs for 20 s', back(5_000), async (postgres) => {
    postgres.signal('SIGSTOP')
    await sleep(20_000)
    postgres.signal('SIGCONT')
  }),
  fault('ends all connections', back(2_000), endConnections, {}),
]
