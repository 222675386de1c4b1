import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { lockSqlite, type SqliteLock } from '../../test/support/sqlite-lock.ts'
import { startTcpRelay, type TcpRelay } from '../../test/support/tcp-relay.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { until } from '../../test/support/until.ts'
import { systemClock } from '../core/clock.ts'
import { type TakenIds } from '../core/taken-processes.ts'
import { createLog } from '../observe/log.ts'
import { type Database, openDatabase, sqlitePathOf } from '../storage/database.ts'
import { createBacklogStore } from './backlog.store.ts'
import { SPOOLED_MESSAGES } from './intake.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createSpool, type Spool } from './spool.ts'

const log = createLog({ level: 'silent' })
const folder = useTemporaryFolder('aerie-outages-')
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

interface Running {
  readonly outbox: Outbox
  readonly spool: Spool
  readonly arrived: string[]
}
let running: Running[]

async function start({ db }: Database, dataDir: string, ids: TakenIds = 'all'): Promise<Running> {
  const arrived: string[] = []
  const spool = createSpool({ path: join(dataDir, 'delivery.spool'), clock: systemClock, log })
  const outbox = createOutbox({
    store: createOutboxStore(db),
    backlog: createBacklogStore(db),
    spool,
    sender: { send: async ({ id }) => void arrived.push(id), close: async () => {} },
    clock: systemClock,
    log,
  })
  await spool.open()
  await spool.fill()
  await outbox.start()
  await outbox.takeUp({ ids })
  const one = { outbox, spool, arrived }
  running.push(one)
  return one
}

const send = ({ outbox }: Running, ids: readonly string[]) =>
  Promise.all(ids.map((id) => outbox.send(anOutboundMessage(id, { createdAtMs: systemClock.now() }))))

/** A database that goes away and comes back. */
interface Flighty {
  readonly database: Database
  leave(): Promise<void>
  recover(): Promise<void>
  remove(): Promise<void>
}

async function lockedSqlite(): Promise<Flighty> {
  const database = await createMigratedDatabase('sqlite')
  let lock: SqliteLock | undefined
  const recover = async () => {
    lock?.release()
    lock = undefined
  }
  return {
    database,
    leave: async () => void (lock = await lockSqlite(sqlitePathOf(database.url)!)),
    recover,
    async remove() {
      await recover()
      await database.remove()
    },
  }
}

/** PostgreSQL behind a relay, so that it can go away for this test alone. */
async function relayedPostgres(
  leave: (relay: TcpRelay) => void | Promise<void>,
  recover: (relay: TcpRelay) => void | Promise<void>,
): Promise<Flighty> {
  const real = await createMigratedDatabase('postgres')
  const url = new URL(real.url)
  const relay = await startTcpRelay(Number(url.port))
  url.port = String(relay.port)
  const database = openDatabase(url.href)
  return {
    database,
    leave: async () => leave(relay),
    recover: async () => recover(relay),
    async remove() {
      await database.close()
      await relay.close()
      await real.remove()
    },
  }
}

const outages: Readonly<Record<string, () => Promise<Flighty>>> = {
  'SQLite is locked': lockedSqlite,
  'PostgreSQL is gone': () =>
    relayedPostgres(
      (relay) => relay.cut(),
      (relay) => relay.mend(),
    ),
  'PostgreSQL hangs': () =>
    relayedPostgres(
      (relay) => relay.stall(),
      (relay) => relay.goOn(),
    ),
}

let flighty: Flighty
let one: Running

async function startOn(name: string): Promise<void> {
  running = []
  flighty = await outages[name]!()
  one = await start(flighty.database, folder())
}
afterEach(async () => {
  for (const { outbox } of running) await outbox.close()
  for (const { spool } of running) await spool.close()
  await flighty.remove()
})

const drained = async ({ spool }: Running) => spool.countOf(SPOOLED_MESSAGES) === 0

describe.each(Object.keys(outages))('%s', (name) => {
  let fresh: TestDatabase
  beforeEach(async () => {
    fresh = await createMigratedDatabase('sqlite')
    await startOn(name)
  })
  afterEach(() => fresh.remove())

  test('what is sent is on disk, and arrives in order: when the database is back, and after a kill', async () => {
    await send(one, ['first'])
    await until(async () => one.arrived.length === 1)
    // On a busy machine it was in the spool for a moment.
    await until(() => drained(one))
    await flighty.leave()
    const ids = numbers(300)
    await send(one, ids.slice(0, 200))
    await send(one, ids.slice(200))
    expect(one.spool.countOf(SPOOLED_MESSAGES)).toBe(300)
    expect(one.outbox.waitingIn('a').count).toBe(300)

    // What the disk has now is all that a service which starts after a kill has.
    const killed = join(folder(), 'killed')
    await mkdir(killed)
    await copyFile(join(folder(), 'delivery.spool'), join(killed, 'delivery.spool'))
    const next = await start(fresh, killed)
    await until(async () => next.arrived.length === 300)
    expect(next.arrived).toEqual(ids)
    await until(() => drained(next))

    await flighty.recover()
    await until(async () => one.arrived.length >= 301)
    await send(one, ['last'])
    await until(async () => one.arrived.length >= 302)
    expect(one.arrived).toEqual(['first', ...ids, 'last'])
    await until(() => drained(one))
    expect(one.outbox.waitingIn('a').count).toBe(0)
  })
})

describe('what a node has in its spool when another has its process', () => {
  beforeEach(() => startOn('SQLite is locked'))

  /** A service on a spool in which an earlier one left a message about the process. */
  async function startAgain(): Promise<Running> {
    const again = join(folder(), 'again')
    await mkdir(again)
    const spool = createSpool({ path: join(again, 'delivery.spool'), clock: systemClock, log })
    await spool.open()
    await spool.fill()
    const left = anOutboundMessage('left', { processId: 'p', createdAtMs: systemClock.now() })
    await spool.put(SPOOLED_MESSAGES, new Map([[left.id, left]]), left.accountId)
    await spool.close()
    const next = await start(flighty.database, again, [])
    await until(() => drained(next))
    return next
  }

  test('goes to the database at its start, and is sent by the other, once', async () => {
    const otherFolder = join(folder(), 'other')
    await mkdir(otherFolder)
    const other = await start(flighty.database, otherFolder, ['p'])
    const again = await startAgain()
    expect([other.arrived, again.arrived]).toEqual([[], []])
    for (const { outbox } of [again, other, other]) await outbox.takeUpStrays()
    await until(async () => other.arrived.length > 0)
    await other.outbox.flush()
    await other.outbox.takeUpStrays()
    expect([other.arrived, again.arrived]).toEqual([['left'], []])
  })

  test('is sent by the node itself once that has the process', async () => {
    const again = await startAgain()
    expect(again.arrived).toEqual([])
    await again.outbox.takeUp({ ids: ['p'] })
    await until(async () => again.arrived.length > 0)
    expect(again.arrived).toEqual(['left'])
  })
})

test('a channel is clear when what is in the spool of it has arrived too, and is not dropped before', async () => {
  await startOn('SQLite is locked')
  await flighty.leave()
  await send(one, ['1'])
  let isClear = false
  const cleared = one.outbox.whenClear('a', new AbortController().signal).then(() => (isClear = true))
  await expect(one.outbox.flush()).rejects.toThrow('messages wait for it')
  expect(isClear).toBe(false)
  await flighty.recover()
  await cleared
  await one.outbox.flush()
  expect(one.arrived).toEqual(['1'])
})
