import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { inputSentence } from '../core/input-sentence.ts'
import { parsePictureLimit, type PictureLimit } from '../core/picture-limit.ts'
import { nearestWord } from '../core/nearest-word.ts'
import { type ObjectStoreConfig, parseBucketAddress } from '../core/object-store-config.ts'
import { type OutboundLists } from '../core/check-hosts.ts'
import { type ServicePorts } from '../core/service-ports.ts'
import { trimEndSlashes } from '../core/url-text.ts'
import { defaultWorkerBytes } from '../core/worker-memory.ts'
import { type CertificateFiles, readCertificate } from './certificate-files.ts'
import { type ClusterConfig, clusterProblems, toClusterConfig } from './cluster-settings.ts'
import { objectStoreProblems } from './object-store-problems.ts'
import { portProblems } from './port-problems.ts'
import { Settings } from './settings.ts'

/** All settings in one frozen object, checked once at the start. */
export interface Config extends ServicePorts {
  readonly dataDir: string
  readonly host: string
  readonly webrtc: { readonly port: number; readonly hosts: readonly string[]; readonly stunServers: readonly string[] }
  readonly publicUrl: string | undefined
  readonly masterKey: string | undefined
  readonly databaseUrl: string
  /** Undefined in a service of one node. */
  readonly cluster: ClusterConfig | undefined
  readonly logLevel: Settings['AERIE_LOG_LEVEL']
  readonly tls: CertificateFiles | undefined
  /** Addresses and ranges of the proxies that are believed. */
  readonly trustProxy: readonly string[]
  /** Names to which we answer beside those that we know ourselves. */
  readonly hosts: readonly string[]
  readonly corsOrigins: readonly string[]
  readonly mapTiles: { readonly url: string; readonly attribution: string | undefined } | undefined
  readonly bodyLimitBytes: number
  /** Larger pictures are refused wherever video is decoded. */
  readonly maxPicture: PictureLimit
  readonly workerMemoryBytes: number
  readonly model: string
  readonly modelsDir: string | undefined
  readonly inference: Settings['AERIE_INFERENCE']
  readonly inferenceThreads: number
  readonly admit: Settings['AERIE_ADMIT']
  readonly terrainDir: string | undefined
  readonly sizes: Settings['AERIE_OBJECT_SIZES']
  readonly payloadLenses: Settings['AERIE_PAYLOAD_LENSES']
  /** How long a lost source is waited for; null for ever. */
  readonly reconnectMs: number | null
  readonly mediaAuth: Settings['AERIE_MEDIA_AUTH']
  readonly metricsAuth: { readonly need: Settings['AERIE_METRICS_AUTH']; readonly token: string | undefined }
  readonly recording: { readonly segmentSeconds: number; readonly mergeSeconds: number }
  readonly reportRetentionDays: number
  readonly notificationLinkMs: number
  readonly diskBudgetBytes: number | undefined
  readonly objectStore: ObjectStoreConfig | undefined
  readonly outbound: OutboundLists
  readonly authOrigins: readonly string[]
  /** What is wrong with variables of the environment that look like settings and are none. */
  readonly unknownVariables: readonly string[]
  /** The file that was read, if there was one. */
  readonly file: string | undefined
}

/** Wrong settings, all of them in one message. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`Wrong settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings: the environment wins over the file, the file over the defaults. The file is the one
 * that `AERIE_CONFIG` names, or else `defaultFile` if it exists. Only the command line has one: tests and
 * tools must never come upon an operator's settings.
 */
export function loadConfig(env: Environment, defaultFile?: string): Config {
  const file = findFile(env, defaultFile)
  const fromFile = file ? readFile(file) : {}
  const fromEnv = Object.fromEntries(Object.keys(Settings.shape).map((name) => [name, env[name]]))
  const given: Record<string, unknown> = { ...withoutEmpty(fromFile), ...withoutEmpty(fromEnv) }

  const parsed = Settings.safeParse(given, { error: inputSentence })
  const problems = parsed.success ? [] : parsed.error.issues.flatMap((issue) => describeIssue(issue, given))
  if (Boolean(given['AERIE_TLS_CERT']) !== Boolean(given['AERIE_TLS_KEY'])) {
    problems.push('AERIE_TLS_CERT and AERIE_TLS_KEY: give both or neither')
  }
  for (const name of ['AERIE_TLS_CERT', 'AERIE_TLS_KEY'] as const) {
    const path = given[name]
    if (typeof path === 'string' && !existsSync(path)) problems.push(`${name}: there is no file ${path}`)
  }
  problems.push(...objectStoreProblems(given))
  const modelsDir = given['AERIE_MODELS_DIR']
  if (typeof modelsDir === 'string' && !isFolder(modelsDir)) {
    problems.push(`AERIE_MODELS_DIR: there is no folder ${modelsDir}`)
  }
  problems.push(...clusterProblems(given))
  if (problems.length === 0) problems.push(...tlsProblems(given))
  if (parsed.success) problems.push(...portProblems(parsed.data))
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({ ...toConfig(parsed.data, file), unknownVariables: unknownIn(env) })
}

/** Not refused, as in the file: where containers are linked, others put variables of such names there. */
function unknownIn(env: Environment): string[] {
  const names = Object.keys(env).filter((name) => name.startsWith('AERIE_') && name !== 'AERIE_CONFIG' && env[name])
  return names.filter((name) => !(name in Settings.shape)).map(unknownSetting)
}

function tlsProblems(given: Readonly<Record<string, unknown>>): string[] {
  const { AERIE_TLS_CERT: certFile, AERIE_TLS_KEY: keyFile } = given
  if (typeof certFile !== 'string' || typeof keyFile !== 'string') return []
  try {
    readCertificate({ certFile, keyFile })
    return []
  } catch (error) {
    return [`AERIE_TLS_CERT and AERIE_TLS_KEY: not a PEM certificate with its own key (${(error as Error).message})`]
  }
}

function toConfig(settings: Settings, file: string | undefined): Omit<Config, 'unknownVariables'> {
  const dataDir = resolve(settings.AERIE_DATA_DIR)
  const { AERIE_TLS_CERT: certFile, AERIE_TLS_KEY: keyFile } = settings
  const tls = certFile && keyFile ? { certFile, keyFile } : undefined
  const maxPicture = parsePictureLimit(settings.AERIE_MAX_PICTURE)!
  return {
    dataDir,
    host: settings.AERIE_HOST,
    httpPort: settings.AERIE_HTTP_PORT,
    httpRedirectPort: unlessOff(settings.AERIE_HTTP_REDIRECT_PORT),
    rtspPort: unlessOff(settings.AERIE_RTSP_PORT),
    rtmpPort: unlessOff(settings.AERIE_RTMP_PORT),
    rtspsPort: tls && settings.AERIE_RTSPS_PORT,
    rtmpsPort: tls && settings.AERIE_RTMPS_PORT,
    webrtc: {
      port: settings.AERIE_WEBRTC_PORT,
      hosts: settings.AERIE_WEBRTC_HOST,
      stunServers: settings.AERIE_WEBRTC_STUN,
    },
    publicUrl: settings.AERIE_PUBLIC_URL && trimEndSlashes(settings.AERIE_PUBLIC_URL),
    masterKey: settings.AERIE_MASTER_KEY,
    databaseUrl: settings.AERIE_DATABASE_URL ?? `sqlite:${join(dataDir, 'aerie.db')}`,
    cluster: toClusterConfig(settings),
    logLevel: settings.AERIE_LOG_LEVEL,
    tls,
    trustProxy: settings.AERIE_TRUST_PROXY,
    hosts: settings.AERIE_HOSTS,
    corsOrigins: settings.AERIE_CORS_ORIGINS,
    mapTiles: settings.AERIE_MAP_TILES_URL
      ? { url: settings.AERIE_MAP_TILES_URL, attribution: settings.AERIE_MAP_TILES_ATTRIBUTION }
      : undefined,
    bodyLimitBytes: settings.AERIE_BODY_LIMIT,
    maxPicture,
    workerMemoryBytes: settings.AERIE_WORKER_MEMORY
      ? settings.AERIE_WORKER_MEMORY * 2 ** 20
      : defaultWorkerBytes(maxPicture),
    model: settings.AERIE_MODEL,
    modelsDir: settings.AERIE_MODELS_DIR && resolve(settings.AERIE_MODELS_DIR),
    inference: settings.AERIE_INFERENCE,
    inferenceThreads: settings.AERIE_INFERENCE_THREADS,
    admit: settings.AERIE_ADMIT,
    terrainDir: settings.AERIE_TERRAIN_DIR && resolve(settings.AERIE_TERRAIN_DIR),
    sizes: settings.AERIE_OBJECT_SIZES,
    payloadLenses: settings.AERIE_PAYLOAD_LENSES,
    reconnectMs: settings.AERIE_RECONNECT_SECONDS === 0 ? null : settings.AERIE_RECONNECT_SECONDS * 1000,
    mediaAuth: settings.AERIE_MEDIA_AUTH,
    metricsAuth: { need: settings.AERIE_METRICS_AUTH, token: settings.AERIE_METRICS_TOKEN },
    recording: {
      segmentSeconds: settings.AERIE_RECORDING_SEGMENT_SECONDS,
      mergeSeconds: settings.AERIE_RECORDING_MERGE_SECONDS,
    },
    reportRetentionDays: settings.AERIE_REPORT_RETENTION_DAYS,
    notificationLinkMs: settings.AERIE_NOTIFICATION_LINK_HOURS * HOUR_MS,
    diskBudgetBytes: settings.AERIE_DISK_BUDGET,
    objectStore: toObjectStore(settings),
    outbound: { deny: settings.AERIE_OUTBOUND_DENY, allow: settings.AERIE_OUTBOUND_ALLOW },
    authOrigins: settings.AERIE_AUTH_ORIGINS,
    file,
  }
}

const HOUR_MS = 3_600_000

function toObjectStore(settings: Settings): ObjectStoreConfig | undefined {
  const { AERIE_OBJECT_STORE_URL: url, AERIE_OBJECT_STORE_KEY: accessKey, AERIE_OBJECT_STORE_SECRET: secret } = settings
  const address = url === undefined ? undefined : parseBucketAddress(url)
  if (!address || accessKey === undefined || secret === undefined) return undefined
  return {
    ...address,
    region: settings.AERIE_OBJECT_STORE_REGION,
    accessKey,
    secret,
    links: settings.AERIE_OBJECT_STORE_LINKS,
    keepLocalMs: settings.AERIE_OBJECT_STORE_KEEP_LOCAL * HOUR_MS,
  }
}

const unlessOff = (port: number | 'off'): number | undefined => (port === 'off' ? undefined : port)

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** `NAME=` and `NAME:` are as good as no such line. */
function withoutEmpty(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => (value ?? '') !== ''))
}

function findFile(env: Environment, defaultFile: string | undefined): string | undefined {
  const named = env['AERIE_CONFIG']
  if (named && !existsSync(named)) throw new ConfigError([`AERIE_CONFIG: there is no file ${named}`])
  if (named) return resolve(named)
  return defaultFile && existsSync(defaultFile) ? resolve(defaultFile) : undefined
}

function readFile(file: string): Record<string, unknown> {
  let content: unknown
  try {
    content = parseYaml(readFileSync(file, 'utf8')) ?? {}
  } catch (error) {
    throw new ConfigError([`${file} is not settings in YAML: ${(error as Error).message.split('\n')[0]}`])
  }
  const settings = z.record(z.string(), z.unknown()).safeParse(content)
  if (!settings.success)
    throw new ConfigError([`${file} is not settings in YAML: write lines such as AERIE_HTTP_PORT: 8080`])
  return settings.data
}

function unknownSetting(name: string): string {
  const meant = nearestWord(name, Object.keys(Settings.shape))
  return `${name}: there is no such setting; ${meant ? `do you mean ${meant}?` : 'config.example.yml lists them.'}`
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, unknown>): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownSetting)
  const name = String(issue.path[0])
  const shown = /KEY|URL|TOKEN|SECRET/.test(name) ? '' : ` (it is ${JSON.stringify(given[name])})`
  return [`${name}: ${issue.message}${shown}`]
}
