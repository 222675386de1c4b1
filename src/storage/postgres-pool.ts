import { type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { systemClock } from '../core/clock.ts'
import { DatabaseAway } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { createNodeGate, type NodeAdmission } from './node-admission.ts'
import { createOutageLog, type OutageLog } from './outage-log.ts'
import { createStallWatch, type StallWatch } from './stall-watch.ts'

const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Connections that broke, a server that starts or stops, and one that takes no more (PostgreSQL, appendix A). */
const STATES = /^(08...|57P0[123]|53300)$/
/** What `pg` has no code for. */
const SENTENCES = /^Connection terminated|^timeout e|^Query read timeout|not queryable$/
/** What who declares a node dead does to its connections; and who stops the server (`admin_shutdown`). */
const TERMINATED = '57P01'

const TIMEOUT = /timeout/i

/** For a server that does not answer a dial. */
const DIAL_TIMEOUT_MS = 5_000
/** For a connection while all are in use: the server is there, and a burst of work is not refused because it takes its time. */
const QUEUE_TIMEOUT_MS = 20_000

/**
 * A server that lost its power or its network says nothing any more, and whoever waits for its answer would wait for ever: the
 * system asks it for a sign of life after so long, and gives the connection up ten seconds later.
 */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

class DiallingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: DIAL_TIMEOUT_MS })
  }
}

export interface PostgresPoolOptions {
  readonly log?: Log | undefined
  /** Of a node of several, which may connect only for as long as it is one of them. */
  readonly admission?: NodeAdmission | undefined
}

/** Connections to PostgreSQL, whose failures say whether the server was away, or did not like what it was asked. */
export function createPostgresPool(config: pg.PoolConfig, { log, admission }: PostgresPoolOptions = {}): PostgresPool {
  const gate = admission && createNodeGate(admission)
  const pool = new pg.Pool({
    ...config,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: QUEUE_TIMEOUT_MS,
    Client: DiallingClient,
    ...(gate && { verify: (client, done) => void gate.admit(client).then(() => done(), done) }),
  })
  const outage = log && createOutageLog(log, () => performance.now())
  const stalls = createStallWatch({ isAnswering: () => isAnswering(config), clock: systemClock })
  // A connection that breaks is replaced at the next query; without a listener it would end the process. The pool listens
  // to those that are idle; one between two queries of a transaction fails at its next query.
  pool.on('error', (error) => {
    log?.warn({ err: new DatabaseAway(error) }, 'a connection to the database broke')
    onFailure(error)
  })
  pool.on('connect', (client) => client.on('error', onFailure))

  let asking: Promise<void> | undefined
  /** Who does not need the database now would not find out that it has been expelled. */
  function onFailure(error: Error): void {
    if (gate && (error as { code?: unknown }).code === TERMINATED)
      asking ??= askAgain(config, (client) => gate.admit(client)).finally(() => (asking = undefined))
  }

  const judge = <T>(answer: Promise<T>): Promise<T> => judged(answer, outage, onFailure)
  return {
    connect: async () => watched(await judge(pool.connect()), judge, stalls),
    end: () => pool.end(),
  }
}

/** By a connection of its own; what comes of it the gate reports. */
async function askAgain(config: pg.PoolConfig, admit: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new DiallingClient(config)
  client.on('error', () => {})
  try {
    await client.connect()
    await admit(client)
  } catch {
    // A server that was stopped refuses everybody.
  } finally {
    void client.end().catch(() => {})
  }
}

type Judge = <T>(answer: Promise<T>) => Promise<T>

function watched(client: pg.PoolClient, judge: Judge, stalls: StallWatch): PostgresPoolClient {
  function query(...args: Parameters<pg.PoolClient['query']>): unknown {
    const result: unknown = client.query(...args)
    if (!(result instanceof Promise)) return result
    const onAnswer = stalls.watch(client)
    return judge(result).finally(onAnswer)
  }
  return { query: query as PostgresPoolClient['query'], release: () => client.release() }
}

/** Whether the server answers somebody who is new to it. */
async function isAnswering(config: pg.PoolConfig): Promise<boolean> {
  const client = new DiallingClient({ ...config, query_timeout: DIAL_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    // Whatever else is wrong, such as a name that is not found or too many connections, proves nothing.
    return !TIMEOUT.test((error as Error).message)
  } finally {
    void client.end().catch(() => {})
  }
}

async function judged<T>(
  answer: Promise<T>,
  outage: OutageLog | undefined,
  onAway: (error: Error) => void,
): Promise<T> {
  try {
    const answered = await answer
    outage?.onSuccess()
    return answered
  } catch (error) {
    if (!isAway(error)) throw error
    onAway(error)
    const away = new DatabaseAway(error)
    outage?.onFailure(away)
    throw away
  }
}

function isAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (error instanceof pg.DatabaseError) return STATES.test(String(code))
  return NETWORK_CODES.has(code) || SENTENCES.test(error.message)
}
