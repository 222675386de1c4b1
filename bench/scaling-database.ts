import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { createLedgerStore, type LedgerStore } from '../src/accounts/ledger.store.ts'
import { createLivePathStore } from '../src/cluster/live-path.store.ts'
import { createOwnWorkStore } from '../src/cluster/own-work.store.ts'
import { createPlacementStore } from '../src/cluster/placement.store.ts'
import { type Database, type Db, openDatabase } from '../src/storage/database.ts'
import { migrate } from '../src/storage/migrate.ts'
import { addAccount } from '../test/builders/account.ts'
import { createFakeNodes } from '../test/support/fake-nodes.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { percentile } from '../test/support/relay-latency.ts'
import { ms, type Row } from './benchmark.ts'

type Opened = Database & { readonly url: string }

const SIZES = [
  { nodes: 60, processes: 1_000 },
  { nodes: 160, processes: 10_000 },
] as const
const ENDED_PER_LIVE = 5
const ROUNDS = 15
const ACCOUNTS = 100
const CHARGERS = 40
const CHARGING_MS = 5_000
const PART = 500
/** Of one live process in ten a receiver is away: so many messages of each wait for it. */
const WAITING = 20
/** Of all messages, so many have arrived for each that waits. */
const SETTLED_PER_WAITING = 5

/** On a disk, with all that PostgreSQL does to lose nothing. */
export async function largeServiceRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of SIZES) rows.push(...(await withDatabase((database) => lookRows(database, size))))
  rows.push(...(await withDatabase(chargeRows)))
  return rows
}

async function withDatabase(use: (database: Opened) => Promise<Row[]>): Promise<Row[]> {
  const postgres = await startPostgres(['max_connections=200'], tmpdir())
  const database = openDatabase(postgres.url, undefined, { maxConnections: CHARGERS })
  try {
    await migrate(database.db)
    return await use({ ...database, url: postgres.url })
  } finally {
    await database.close()
    await postgres.remove()
  }
}

/** What every node asks again and again, whatever it has to do. */
async function lookRows(database: Opened, { nodes, processes }: (typeof SIZES)[number]): Promise<Row[]> {
  const { db } = database
  const { id, epoch } = await fill(database, nodes, processes)
  const size = `${nodes} nodes, ${processes} processes`
  const livePaths = createLivePathStore(db)
  const looks: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['what is mine', () => createOwnWorkStore(db).list({ id, epoch })],
    ['is there anything to place', () => createPlacementStore(db).glance()],
    ['what is live where', () => livePaths.list()],
  ]
  const rows: Row[] = []
  for (const [what, ask] of looks) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now()
      await ask()
      times.push(performance.now() - startedAt)
    }
    rows.push({
      what: `${size}: ${what}, p50`,
      value: ms(
        percentile(
          times.sort((a, b) => a - b),
          0.5,
        ),
      ),
    })
  }
  return rows
}

/** Answers one of the nodes. */
async function fill(database: Opened, nodes: number, processes: number) {
  const { db } = database
  const fake = await createFakeNodes(database)
  const owners: { id: string; epoch: number }[] = []
  for (let n = 0; n < nodes; n++) owners.push({ id: `node-${n}`, epoch: await fake.join(`node-${n}`) })
  const first = await fake.addProcess(null, { state: 'stopped', stoppedAt: 1 })
  const row = await db.selectFrom('process').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
  const ownerOf = (n: number) => ({ node_id: owners[n % nodes]!.id, node_epoch: owners[n % nodes]!.epoch })
  await inParts(
    processes * (1 + ENDED_PER_LIVE),
    (n) => n,
    async (part) => {
      const state = (n: number) =>
        n < processes
          ? ({ state: 'running', stopped_at: null } as const)
          : ({ state: 'stopped', stopped_at: 1 } as const)
      const values = part.map((n) => ({ ...row, id: `process-${n}`, ...state(n), ...ownerOf(n) }))
      await db.insertInto('process').values(values).execute()
    },
  )
  const video = JSON.stringify({ codec: 'h264', width: 1280, height: 720, fps: 25 })
  const about = { principal: 'pilot', protocol: 'rtsp', video, since: 1 }
  await inParts(
    processes,
    (n) => ({ path: `pilot/camera-${n}`, ...about, ...ownerOf(n) }),
    async (part) => {
      await db.insertInto('live_path').values(part).execute()
    },
  )
  await fillNotifications(db, fake.account.id, processes)
  // What the server finds out by itself in a minute.
  await sql`analyze`.execute(db)
  return owners[0]!
}

/** Without these, what is left of processes that have ended would be looked for in empty tables. */
async function fillNotifications(db: Db, accountId: string, processes: number): Promise<void> {
  const about = (n: number) => ({ account_id: accountId, process_id: `process-${n}` })
  await inParts(
    processes,
    (n) => ({
      ...about(n),
      id: `subscription-${n}`,
      notification_url: `https://receiver-${n}.example.org/hook`,
      event_type: 'new-tracks',
      notification_format: 'simple' as const,
      backoff_ms: 5_000,
      auth_url: null,
      secret: 'whsec_c2VjcmV0',
      progress: JSON.stringify({
        lastTrackId: n,
        targetCount: 3,
        processState: 'running',
        gathered: null,
        released: [],
      }),
      created_at: 1,
      ended_at: null,
    }),
    async (part) => void (await db.insertInto('webhook_subscription').values(part).execute()),
  )
  await inParts(
    processes,
    (n) => ({
      alert_id: `alert-${n % ACCOUNTS}`,
      process_id: `process-${n}`,
      reserved: 100,
      ended_at: null,
      progress: n % 10 === 0 ? JSON.stringify({ process: about(n), telling: [], unfinished: null }) : null,
    }),
    async (part) => void (await db.insertInto('alert_sequence').values(part).execute()),
  )
  await inParts(
    (processes / 10) * WAITING * (1 + SETTLED_PER_WAITING),
    (n) => ({
      ...about((n % (processes / 10)) * 10),
      id: `message-${n}`,
      position: n,
      channel: `subscription-${(n % (processes / 10)) * 10}`,
      destination: '',
      body: '{"type":"new-tracks"}',
      size_bytes: 21,
      state: n % (1 + SETTLED_PER_WAITING) === 0 ? ('waiting' as const) : ('delivered' as const),
      attempts: 1,
      error: null,
      created_at: 1,
      expires_at: 1,
      settled_at: n % (1 + SETTLED_PER_WAITING) === 0 ? null : 1,
      spacing_ms: 0,
      attempted_at: null,
    }),
    async (part) => void (await db.insertInto('delivery').values(part).execute()),
  )
}

async function inParts<T>(count: number, make: (n: number) => T, use: (part: T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += PART)
    await use(Array.from({ length: Math.min(PART, count - from) }, (_, n) => make(from + n)))
}

/** Charges of one account wait for each other, and for the disk. */
async function chargeRows(database: Opened): Promise<Row[]> {
  const ledger = createLedgerStore(database.db)
  const accounts: string[] = []
  for (let n = 0; n < ACCOUNTS; n++) {
    const { account } = await addAccount(database, { username: `pilot-${n}`, minutes: 1_000_000 })
    accounts.push(account.id)
  }
  const one = await chargesASecond(ledger, accounts.slice(0, 1))
  const many = await chargesASecond(ledger, accounts)
  return [
    { what: 'charges a second, of one account', value: one.toFixed(0) },
    { what: `charges a second, of ${ACCOUNTS} accounts`, value: many.toFixed(0) },
  ]
}

async function chargesASecond(ledger: LedgerStore, accounts: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  let charged = 0
  async function keepCharging(charger: number): Promise<void> {
    const accountId = accounts[charger % accounts.length]!
    for (let totalMs = 5_000; performance.now() - startedAt < CHARGING_MS; totalMs += 5_000) {
      await ledger.charge(`${accounts.length}-${charger}`, accountId, totalMs, Date.now())
      charged += 1
    }
  }
  await Promise.all(Array.from({ length: CHARGERS }, (_, charger) => keepCharging(charger)))
  return charged / ((performance.now() - startedAt) / 1000)
}
