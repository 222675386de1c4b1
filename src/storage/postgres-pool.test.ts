import { existsSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterEach, expect, inject, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { startTcpRelay } from '../../test/support/tcp-relay.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { openDatabase } from './database.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function failureOf(url: string, query = sql`select 1`): Promise<unknown> {
  const database = openDatabase(url)
  const failure = await query.execute(database.db).catch((error: unknown) => error)
  await database.close()
  return failure
}

/** Somebody who takes connections and is no database. */
async function serve(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer(onConnection)
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `postgres://aerie@127.0.0.1:${(server.address() as AddressInfo).port}/aerie`
}

test('a server that is not there is away', async () => {
  const failure = await failureOf(`postgres://aerie@127.0.0.1:${await freePort()}/aerie`)
  expect(isDatabaseAway(failure)).toBe(true)
  expect((failure as Error).message).toMatch(/^The database cannot be reached: .*ECONNREFUSED/)
})

test('so is one that hangs up', async () =>
  expect(isDatabaseAway(await failureOf(await serve((socket) => socket.destroy())))).toBe(true))

test('and one that ends the connection while it is asked', async () => {
  const failure = await failureOf(inject('postgresUrl'), sql`select pg_terminate_backend(pg_backend_pid())`)
  expect(isDatabaseAway(failure)).toBe(true)
})

test('and one that takes connections and says nothing', async () => {
  const failure = await failureOf(await serve(() => {}))
  expect(isDatabaseAway(failure)).toBe(true)
}, 10_000)

test('a burst of more work than there are connections waits for its turn, also for longer than a dial may take', async () => {
  const database = openDatabase(inject('postgresUrl'))
  const work = Array.from({ length: 40 }, () => sql`select pg_sleep(1.5)`.execute(database.db))
  await expect(Promise.all(work)).resolves.toHaveLength(40)
  await database.close()
}, 30_000)

test('a server that hangs is away, for what was asked before too, and comes back', async () => {
  const url = new URL(inject('postgresUrl'))
  const relay = await startTcpRelay(Number(url.port))
  url.port = String(relay.port)
  const database = openDatabase(url.href)
  const ask = (query = sql`select 1`) => query.execute(database.db).then(() => 'answered', isDatabaseAway)
  expect(await ask()).toBe('answered')
  relay.stall()
  expect(
    await Promise.all([
      ask(),
      ask(),
      database.db
        .transaction()
        .execute(() => ask())
        .catch(isDatabaseAway),
    ]),
  ).toEqual([true, true, true])
  relay.goOn()
  expect(await ask()).toBe('answered')
  // Of one that is only slow nothing is broken off.
  expect(await ask(sql`select pg_sleep(7)`)).toBe('answered')
  await database.close()
  await relay.close()
}, 60_000)

test.skipIf(!existsSync('/proc/net/tcp'))('a server that vanishes while it is asked is noticed', async () => {
  const database = openDatabase(inject('postgresUrl'))
  const { rows } = await sql<{ port: number }>`select inet_client_port() as port`.execute(database.db)
  const local = `0100007F:${rows[0]!.port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/ +/))
  // The sixth column begins with the kind of timer: 02 is that of keep-alive (the kernel's proc_net_tcp).
  expect(sockets.find((columns) => columns[1] === local)?.[5]).toMatch(/^02:/)
  await database.close()
})

test.each([
  ['a question that is wrong', 'select wrong', ''],
  ['a database that does not exist', 'select 1', '_wrong'],
])('%s is no outage', async (_name, query, suffix) => {
  const failure = await failureOf(`${inject('postgresUrl')}${suffix}`, sql.raw(query))
  expect(failure).toBeInstanceOf(Error)
  expect(isDatabaseAway(failure)).toBe(false)
})
