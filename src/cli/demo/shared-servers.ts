import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type InstalledServers } from './installed-servers.ts'
import { findFreePort, startLocalServer } from './local-server.ts'

export interface SharedServersDeps {
  readonly installed: InstalledServers
  /** Where they keep what they have. */
  readonly folder: string
  readonly onCrash: (sentence: string) => void
  /** Takes what ends each of them, as soon as it is started. */
  readonly onStarted: (stop: () => Promise<void>) => void
}

const run = promisify(execFile)
const HOST = '127.0.0.1'
const USER = 'aerie'

/** What nodes share: starts all of it, and answers the settings by which nodes find it. */
export async function startSharedServers(deps: SharedServersDeps): Promise<Record<string, string>> {
  const settings = await Promise.all([startNats(deps), startPostgres(deps), startObjectStore(deps)])
  return Object.fromEntries(settings.flatMap((own) => Object.entries(own)))
}

async function startNats({ installed, folder, onCrash, onStarted }: SharedServersDeps) {
  const [port, password] = [await findFreePort(), randomBytes(16).toString('hex')]
  const file = join(folder, 'nats.conf')
  writeFileSync(file, `listen: "${HOST}:${port}"\nauthorization { user: ${USER}, password: "${password}" }\n`)
  const server = startLocalServer({
    name: 'NATS',
    command: [installed.nats, '-c', file],
    isReady: () => speaks(port),
    onCrash: (sentence) => onCrash(`${sentence} Nodes cannot reach each other now; what each does by itself goes on.`),
  })
  onStarted(() => server.stop())
  await server.ready
  return { AERIE_NATS_URL: `nats://${USER}:${password}@${HOST}:${port}` }
}

/** NATS greets every client. */
function speaks(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST })
    const answer = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('data', () => answer(true))
    for (const event of ['error', 'close']) socket.once(event, () => answer(false))
  })
}

async function startPostgres({ installed: { postgresFolder }, folder, onCrash, onStarted }: SharedServersDeps) {
  const program = (name: string) => join(postgresFolder, name)
  // It refuses to run as root; Debian's package makes a user for it.
  const isRoot = process.getuid?.() === 0
  const asOwner = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  const own = join(folder, 'postgres')
  const passwordFile = join(own, 'password')
  const password = randomBytes(16).toString('hex')
  mkdirSync(own)
  writeFileSync(passwordFile, password)
  if (isRoot) {
    // Its folder is in one of ours.
    chmodSync(folder, 0o711)
    await run('chown', ['-R', 'postgres:postgres', own])
  }
  const data = join(own, 'data')
  const access = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const format = ['-E', 'UTF8', '--locale=C', '--no-sync']
  await run('setpriv', [...asOwner, program('initdb'), '-D', data, ...access, ...format], { cwd: '/' })
  const port = await findFreePort()
  const settings = ['fsync=off', `listen_addresses=${HOST}`, `unix_socket_directories=${own}`]
  const server = startLocalServer({
    name: 'PostgreSQL',
    command: [...asOwner, program('postgres'), '-D', data, '-p', `${port}`, ...settings.flatMap((one) => ['-c', one])],
    isReady: () =>
      run(program('pg_isready'), ['-h', HOST, '-p', `${port}`, '-t', '1']).then(
        () => true,
        () => false,
      ),
    onCrash: (sentence) => onCrash(`${sentence} Nothing is written or placed any more; live video goes on.`),
  })
  onStarted(() => server.stop())
  await server.ready
  return { AERIE_DATABASE_URL: `postgres://${USER}:${password}@${HOST}:${port}/postgres` }
}

/** What is used of the package, which comes without types. */
interface ObjectStoreServer {
  readonly httpServer: Server
  run(): Promise<unknown>
  close(): Promise<void>
}

interface ObjectStoreModule {
  readonly default: new (options: object) => ObjectStoreServer
}

const BUCKET = 'aerie'
/** The only account that it knows. */
const CREDENTIAL = 'S3RVER'

/** It is for developers, and no part of the programs: it is loaded from where it is installed. It runs in this process. */
async function startObjectStore({ installed, folder, onStarted }: SharedServersDeps) {
  const { default: ObjectStore } = (await import(pathToFileURL(installed.objectStore).href)) as ObjectStoreModule
  const directory = join(folder, 'objects')
  mkdirSync(directory)
  const options = { address: HOST, port: 0, silent: true, resetOnClose: false }
  const server = new ObjectStore({ ...options, directory, configureBuckets: [{ name: BUCKET }] })
  await server.run()
  onStarted(async () => {
    server.httpServer.closeAllConnections()
    await server.close()
  })
  const { port } = server.httpServer.address() as AddressInfo
  return {
    AERIE_OBJECT_STORE_URL: `http://${HOST}:${port}/${BUCKET}`,
    AERIE_OBJECT_STORE_KEY: CREDENTIAL,
    AERIE_OBJECT_STORE_SECRET: CREDENTIAL,
  }
}
