import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAccountStore } from '../accounts/accounts.store.ts'
import { type Config } from '../config/config.ts'
import { readRunningSettings, type ShownSettings } from '../config/running-settings.ts'
import { isMaster } from '../core/account.ts'
import { systemClock } from '../core/clock.ts'
import { tryUdpPort } from '../media/webrtc/udp-port.ts'
import { createLog } from '../observe/log.ts'
import { chooseProvider } from '../processes/provider-choice.ts'
import { createSourceTokenStore } from '../sources/source-tokens.store.ts'
import { hasAccounts } from '../storage/backup.ts'
import { type Database, openDatabase, sqlitePathOf } from '../storage/database.ts'
import { createJobStore, type JobStore } from '../storage/jobs.store.ts'
import { latestSchemaVersion, schemaVersionOf } from '../storage/migrate.ts'
import { examineBucket } from '../storage/object-store/examine-bucket.ts'
import { masterKeyFile } from '../storage/secret-files.ts'
import { type ObjectStoreFacts } from './object-store-findings.ts'
import { type DatabaseFacts, type DeadJobFacts, type InstallationFacts } from './installation-findings.ts'

const ANSWER_TIMEOUT_MS = 3_000
/** What `/healthz` says. */
const HEALTHY = '{"status":"ok"}'

/** Looks, and leaves nothing changed. */
export async function collectFacts(config: Config): Promise<InstallationFacts> {
  const running = readRunningSettings(config.dataDir)
  const isRunning = await answers(running ?? config)
  const settings = (isRunning ? running : undefined) ?? config
  const { dataDir, file } = settings
  const url = sqlitePathOf(settings.databaseUrl) === undefined ? config.databaseUrl : settings.databaseUrl
  const modes = {
    dataDir: modeOf(dataDir),
    masterKey: modeOf(masterKeyFile(dataDir)),
    file: file === undefined ? null : modeOf(file),
  }
  const log = createLog({ level: 'silent' })
  const inference = await chooseProvider(settings.inference, { clock: systemClock, log })
  const isWebrtcPortTaken = await isTaken(settings.host, settings.webrtc.port)
  const [database, objectStore] = await Promise.all([readDatabase(url), lookAtObjectStore(settings, config)])
  return { settings, isRunning, isWebrtcPortTaken, inference, modes, database, objectStore }
}

/** Null also where we may not look: a user who may not either reads nothing. */
function modeOf(path: string): number | null {
  try {
    return statSync(path).mode
  } catch {
    return null
  }
}

/** Whether it is an Aerie that answers. Its certificate is for the name that clients use, not for this address. */
async function answers({ host, httpPort, tls }: ShownSettings): Promise<boolean> {
  const { request } = await (tls ? import('node:https') : import('node:http'))
  const address = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return new Promise((resolve) => {
    const asking = request({
      host: address,
      port: httpPort,
      path: '/healthz',
      timeout: ANSWER_TIMEOUT_MS,
      rejectUnauthorized: false,
    })
    asking.on('response', (response) => {
      text(response).then(
        (body) => resolve(response.statusCode === 200 && body === HEALTHY),
        () => resolve(false),
      )
    })
    asking.on('timeout', () => asking.destroy())
    asking.on('error', () => resolve(false))
    asking.end()
  })
}

/** Opened and closed at once: UDP and TCP are asked for the same port. */
async function isTaken(host: string, port: number): Promise<boolean> {
  try {
    await tryUdpPort(host, port)
    const server = createServer().listen(port, host)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  }
}

/** A service that runs does not say its key, so that of these settings is used. */
async function lookAtObjectStore(settings: ShownSettings, config: Config): Promise<ObjectStoreFacts | undefined> {
  const wanted = settings.objectStore
  const known = config.objectStore
  if (!wanted) return undefined
  const isSame = known?.origin === wanted.origin && known.bucket === wanted.bucket && known.prefix === wanted.prefix
  return { config: wanted, bucket: isSame ? await examineBucket(known, systemClock) : null }
}

async function readDatabase(databaseUrl: string): Promise<DatabaseFacts> {
  const path = sqlitePathOf(databaseUrl)
  if (path !== undefined && !existsSync(path)) return { state: 'missing' }
  try {
    const database = openDatabase(databaseUrl)
    return await lookInside(database).finally(() => database.close())
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { state: 'unreadable', reason: message || (code ?? 'it does not answer') }
  }
}

async function lookInside(database: Database): Promise<DatabaseFacts> {
  const { db } = database
  if (!(await hasAccounts(database))) return { state: 'missing' }
  if ((await schemaVersionOf(db)) !== latestSchemaVersion) return { state: 'older' }
  const jobs = createJobStore(database)
  const all = await createAccountStore(db, jobs, createSourceTokenStore(db)).listAll()
  const keys = all.map((account) => ({
    username: account.username,
    isMaster: isMaster(account),
    expirationDate: account.expirationDate,
  }))
  return { state: 'read', keys, deadJobs: await deadJobsIn(jobs) }
}

async function deadJobsIn(jobs: Pick<JobStore, 'countDead' | 'listDead'>): Promise<DeadJobFacts[]> {
  const facts: DeadJobFacts[] = []
  for (const { kind, count } of await jobs.countDead()) {
    const [newest] = await jobs.listDead(kind, 1)
    facts.push({ kind, count, lastError: newest?.lastError ?? null })
  }
  return facts
}
