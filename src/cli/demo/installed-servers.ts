import { accessSync, constants, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** What the demo of several nodes starts beside them. */
export interface InstalledServers {
  readonly nats: string
  /** The folder with PostgreSQL's programs. */
  readonly postgresFolder: string
  /** The module of the object store. */
  readonly objectStore: string
}

const POSTGRES_VERSIONS = '/usr/lib/postgresql'
const MIN_POSTGRES = 14
const OBJECT_STORE = '@20minutes/s3rver'

/** Where they are looked for; Debian's nats-server is not in the path of everybody. */
export interface Places {
  readonly path: string
  readonly postgresVersions: string
  readonly objectStore: string
}

const defaultPlaces = (): Places => ({
  path: `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin${delimiter}/usr/local/bin`,
  postgresVersions: POSTGRES_VERSIONS,
  objectStore: OBJECT_STORE,
})

/** Throws a sentence that says all that is missing, and how to install it. */
export function findServers(places = defaultPlaces()): InstalledServers {
  const nats = findProgram('nats-server', places.path)
  const postgresFolder = findPostgres(places.postgresVersions)
  const objectStore = findPackage(places.objectStore)
  const packages = [
    ...(nats ? [] : ['nats-server']),
    ...(postgresFolder ? [] : ['postgresql']),
    ...(findProgram('setpriv', places.path) ? [] : ['util-linux']),
  ]
  const problems = [
    ...(packages.length > 0
      ? [`this machine lacks ${packages.join(' and ')} (Debian, as root: apt-get install ${packages.join(' ')})`]
      : []),
    ...(objectStore
      ? []
      : [`the object store ${places.objectStore}, a package for developers, is not installed (npm ci --include=dev)`]),
  ]
  if (nats && postgresFolder && objectStore && problems.length === 0) return { nats, postgresFolder, objectStore }
  throw new Error(`The demo of several nodes cannot start: ${problems.join('; ')}.`)
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram)
}

function findPostgres(versions: string): string | undefined {
  return listFolder(versions)
    .map(Number)
    .filter((version) => version >= MIN_POSTGRES)
    .sort((a, b) => b - a)
    .map((version) => join(versions, String(version), 'bin'))
    .find((folder) => isProgram(join(folder, 'postgres')))
}

function findPackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
