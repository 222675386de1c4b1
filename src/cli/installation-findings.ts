import { isIP } from 'node:net'
import { type ShownSettings } from '../config/running-settings.ts'
import { type ProviderChoice } from '../core/inference-provider.ts'
import { withoutBrackets } from '../core/ip-address.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { rounded } from '../core/numbers.ts'
import { type Finding } from './finding.ts'
import { objectStoreFindings, type ObjectStoreFacts } from './object-store-findings.ts'

/** What can be known of an installation from its settings, its folder, its database, and the service if it runs. */
export interface InstallationFacts {
  /** Those of the service that runs; if none does, those with which one would be started here. */
  readonly settings: ShownSettings
  /** It answered on its HTTP port just now. */
  readonly isRunning: boolean
  /** Somebody has WebRTC's port open, for UDP or TCP: the service does from the first viewer on. */
  readonly isWebrtcPortTaken: boolean
  /** What computes the models. */
  readonly inference: ProviderChoice
  /** Permissions (`0o700`) of what holds secrets; null when it isn't there. */
  readonly modes: { readonly dataDir: number | null; readonly masterKey: number | null; readonly file: number | null }
  readonly database: DatabaseFacts
  readonly objectStore?: ObjectStoreFacts | undefined
}

export type DatabaseFacts =
  | { readonly state: 'read'; readonly keys: readonly KeyFacts[]; readonly deadJobs: readonly DeadJobFacts[] }
  /** `missing`: no service has started on it yet. */
  | { readonly state: 'missing' | 'older' }
  | { readonly state: 'unreadable'; readonly reason: string }

export interface KeyFacts {
  readonly username: string
  readonly isMaster: boolean
  readonly expirationDate: string | null
}

export interface DeadJobFacts {
  readonly kind: string
  readonly count: number
  /** Of the newest. */
  readonly lastError: string | null
}

/** What is open on an installation, and what to do about it. */
export function findingsOf(facts: InstallationFacts): Finding[] {
  return [
    reachability(facts),
    ...webrtcPort(facts),
    encryption(facts),
    streams(facts),
    metrics(facts),
    proxies(facts),
    origins(facts),
    ...outbound(facts),
    ...permissions(facts),
    disk(facts),
    ...objectStoreFindings(facts.objectStore),
    inference(facts),
    ...database(facts),
    ...keys(facts),
    ...jobs(facts),
    ...unknownVariables(facts),
  ]
}

/** Only programs on this machine reach it. */
function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function reachability({ settings, isRunning }: InstallationFacts): Finding {
  const { host, webrtc } = settings
  const webrtcPort = webrtc.port === 0 ? 'any free port' : webrtc.port
  const ports = `${openPorts(settings).join(', ')}, and from the first viewer on WebRTC ${webrtcPort} (UDP and TCP)`
  const state = isRunning ? 'The service runs' : 'The service does not answer; it would listen'
  const topic = 'listening'
  if (isLocal(host)) return { level: 'ok', topic, sentence: `${state} on ${host} only: ${ports}.` }
  const reach = ['0.0.0.0', '::'].includes(host) ? 'all networks of this machine' : host
  const advice =
    'Let the firewall pass only those ports that cameras and viewers need, or set AERIE_HOST=127.0.0.1 where all of them are on this machine.'
  return { level: 'note', topic, sentence: `${state} on ${reach}: ${ports}.`, advice }
}

/** It cannot be seen from outside whose port it is while the service runs, so nothing is claimed. */
function webrtcPort({ settings: { webrtc }, isRunning, isWebrtcPortTaken }: InstallationFacts): Finding[] {
  if (!isWebrtcPortTaken) return []
  const kind = { level: 'note', topic: 'listening' } as const
  if (!isRunning) {
    const advice = 'Set AERIE_WEBRTC_PORT to another one.'
    return [{ ...kind, sentence: `Another program uses port ${webrtc.port}, which is WebRTC’s here.`, advice }]
  }
  const sentence = `WebRTC’s port ${webrtc.port} is in use: by this service, if somebody has watched or published by WebRTC.`
  const advice =
    'If WebRTC does not work, another program has it, and the log says so: set AERIE_WEBRTC_PORT to another one.'
  return [{ ...kind, sentence, advice }]
}

function openPorts({ tls, ...ports }: ShownSettings): string[] {
  const servers: (readonly [name: string, port: number | undefined])[] = [
    [tls ? 'HTTPS' : 'HTTP', ports.httpPort],
    ['HTTP to HTTPS', ports.httpRedirectPort],
    ['RTSP', ports.rtspPort],
    ['RTSPS', ports.rtspsPort],
    ['RTMP', ports.rtmpPort],
    ['RTMPS', ports.rtmpsPort],
  ]
  return servers.filter(([, port]) => port !== undefined).map(([name, port]) => `${name} ${port}`)
}

function encryption({ settings }: InstallationFacts): Finding {
  const { host, tls, publicUrl, trustProxy } = settings
  const topic = 'TLS'
  if (tls) return besideEncryption(settings)
  if (publicUrl?.startsWith('https:') && trustProxy.length > 0) {
    if (isLocal(host))
      return { level: 'ok', topic, sentence: 'A proxy encrypts HTTP; RTSP and RTMP do not leave this machine.' }
    const advice = 'Set AERIE_TLS_CERT and AERIE_TLS_KEY too if cameras publish over networks that you do not trust.'
    return { level: 'note', topic, sentence: 'A proxy encrypts HTTP; RTSP and RTMP are not encrypted.', advice }
  }
  if (isLocal(host)) return { level: 'ok', topic, sentence: 'Nothing is encrypted, and nothing leaves this machine.' }
  const sentence = 'Keys, passwords and video travel unencrypted.'
  const advice =
    'Set AERIE_TLS_CERT and AERIE_TLS_KEY, or put a proxy with TLS before it, and set AERIE_PUBLIC_URL and AERIE_TRUST_PROXY.'
  return { level: 'warn', topic, sentence, advice }
}

/** With a certificate: what can be used without it all the same. */
function besideEncryption({ host, rtspPort, rtmpPort }: ShownSettings): Finding {
  const topic = 'TLS'
  const plain = [rtspPort !== undefined && 'RTSP', rtmpPort !== undefined && 'RTMP'].filter((name) => name !== false)
  if (plain.length === 0) return { level: 'ok', topic, sentence: 'HTTP, RTSP and RTMP are encrypted.' }
  const beside = `HTTPS, RTSPS and RTMPS are encrypted; plain ${plain.join(' and ')} can be used beside them`
  if (isLocal(host)) return { level: 'ok', topic, sentence: `${beside}, on this machine only.` }
  const off = plain.map((name) => `AERIE_${name}_PORT=off`).join(' and ')
  const advice = `Set ${off} once all cameras and players use the encrypted ports.`
  return { level: 'note', topic, sentence: `${beside}, with keys that others can read on the way.`, advice }
}

function streams({ settings: { mediaAuth } }: InstallationFacts): Finding {
  const topic = 'streams'
  if (mediaAuth === 'always') return { level: 'ok', topic, sentence: 'Reading a stream needs a key or a token.' }
  const who =
    mediaAuth === 'off'
      ? 'Whoever reaches the ports'
      : 'Every program on this machine, and every visitor of a proxy on it,'
  const sentence = `${who} reads all streams of all accounts without a key (AERIE_MEDIA_AUTH=${mediaAuth}).`
  const advice = 'Remove AERIE_MEDIA_AUTH, and give readers a token: POST /source/{source_uuid}/token.'
  return { level: 'warn', topic, sentence, advice }
}

function metrics({ settings: { metricsAuth, host } }: InstallationFacts): Finding {
  const topic = 'metrics'
  if (metricsAuth.need === 'off') {
    const sentence = '/metrics is open to whoever reaches the HTTP port (AERIE_METRICS_AUTH=off).'
    const advice = 'Remove AERIE_METRICS_AUTH, and give Prometheus an AERIE_METRICS_TOKEN.'
    return { level: isLocal(host) ? 'note' : 'warn', topic, sentence, advice }
  }
  if (metricsAuth.token !== undefined)
    return { level: 'ok', topic, sentence: '/metrics needs AERIE_METRICS_TOKEN or the key of admin.' }
  const advice = 'If Prometheus reads it, set AERIE_METRICS_TOKEN, so that it needs no key.'
  return { level: 'ok', topic, sentence: '/metrics needs the key of admin.', advice }
}

/** No network of proxies is larger than 10.0.0.0/8. */
const WIDE_PREFIX = 8

function proxies({ settings: { publicUrl, trustProxy, host } }: InstallationFacts): Finding {
  const topic = 'proxies'
  const wide = trustProxy.filter((range) => Number(range.split('/')[1] ?? 128) < WIDE_PREFIX)
  if (wide.length > 0) {
    const sentence = `Whole networks are believed to be proxies (AERIE_TRUST_PROXY=${wide.join(',')}): addresses can be forged from there.`
    return { level: 'warn', topic, sentence, advice: 'List only the addresses of your proxies in AERIE_TRUST_PROXY.' }
  }
  if (trustProxy.length > 0) {
    const sentence = `Believed: ${trustProxy.join(', ')}.`
    if (publicUrl) return { level: 'ok', topic, sentence }
    const advice = 'Set AERIE_PUBLIC_URL to the address that clients use, so that our URLs lead there.'
    return { level: 'note', topic, sentence, advice }
  }
  if (publicUrl && isLocal(host)) {
    const sentence = 'No proxy is believed, though AERIE_PUBLIC_URL is set and only this machine reaches the service.'
    const advice =
      'If a proxy stands before it, list it: AERIE_TRUST_PROXY=127.0.0.1. Else all visitors share one address.'
    return { level: 'note', topic, sentence, advice }
  }
  return { level: 'ok', topic, sentence: 'No proxy is believed: whoever connects is who they are.' }
}

function origins({ settings: { corsOrigins } }: InstallationFacts): Finding {
  const topic = 'CORS'
  if (corsOrigins.includes('*')) {
    const sentence =
      'Any web page may call the API from its visitors’ browsers, if it has a key (AERIE_CORS_ORIGINS=*).'
    return { level: 'warn', topic, sentence, advice: 'List the origins that need it in AERIE_CORS_ORIGINS.' }
  }
  if (corsOrigins.length > 0)
    return { level: 'ok', topic, sentence: `Pages of ${corsOrigins.join(', ')} may call the API.` }
  return { level: 'ok', topic, sentence: 'Only our own pages call the API from a browser.' }
}

function outbound({ settings }: InstallationFacts): Finding[] {
  const { deny, allow } = settings.outbound
  const topic = 'outbound'
  const wide = allow.filter((range) => range.endsWith('/0'))
  const findings: Finding[] = []
  if (wide.length > 0) {
    const sentence = `Users’ cameras, brokers and receivers may be anywhere, this machine and cloud metadata included (AERIE_OUTBOUND_ALLOW=${wide.join(',')}).`
    findings.push({ level: 'warn', topic, sentence, advice: 'Allow single addresses, such as your broker’s.' })
  } else if (allow.length > 0) {
    const sentence = `Users may also call ${allow.join(', ')}.`
    findings.push({ level: 'note', topic, sentence, advice: 'Remove from AERIE_OUTBOUND_ALLOW what nobody needs.' })
  }
  if (deny.length > 0) findings.push({ level: 'ok', topic, sentence: `Users never call ${deny.join(', ')}.` })
  else {
    const addresses = allow.length > 0 ? 'other addresses' : 'addresses'
    const sentence = `Of the ${addresses} of your networks users may call any but this machine and link-local ones.`
    const advice = 'Set AERIE_OUTBOUND_DENY to the networks that hold no cameras, brokers or receivers.'
    findings.push({ level: 'note', topic, sentence, advice })
  }
  if (settings.authOrigins.length > 0) {
    const sentence = `Logins of webhooks may go to ${settings.authOrigins.join(', ')}, whoever asks.`
    findings.push({ level: 'note', topic, sentence, advice: 'Remove from AERIE_AUTH_ORIGINS what nobody needs.' })
  }
  return findings
}

function permissions({ settings: { dataDir, file }, modes }: InstallationFacts): Finding[] {
  const topic = 'files'
  const secrets: [path: string, mode: number | null, wanted: string][] = [
    [dataDir, modes.dataDir, '700'],
    [`${dataDir}/master.key`, modes.masterKey, '600'],
    ...(file ? [[file, modes.file, '600'] satisfies [string, number | null, string]] : []),
  ]
  const open = secrets.filter(([, mode]) => mode !== null && (mode & 0o077) !== 0)
  const findings = open.map(([path, mode, wanted]): Finding => {
    const sentence = `${path} may be read by other users of this machine (mode ${(mode! & 0o777).toString(8)}).`
    return { level: 'warn', topic, sentence, advice: `chmod ${wanted} ${path}` }
  })
  if (modes.dataDir === null) {
    const sentence = `There is no ${dataDir} yet.`
    return [
      ...findings,
      { level: 'note', topic, sentence, advice: 'Is AERIE_DATA_DIR right? The first start makes it.' },
    ]
  }
  if (modes.masterKey !== null) {
    const advice =
      'Keep the key elsewhere and remove the file; if the key is lost, `aerie keys rotate admin` prints a new one.'
    findings.push({ level: 'note', topic, sentence: `${dataDir}/master.key still holds a master key.`, advice })
  }
  return findings.length > 0 ? findings : [{ level: 'ok', topic, sentence: `Only its owner reads ${dataDir}.` }]
}

function disk({ settings: { diskBudgetBytes } }: InstallationFacts): Finding {
  const topic = 'disk'
  if (diskBudgetBytes !== undefined) {
    const gigabytes = rounded(diskBudgetBytes / 2 ** 30, 1)
    return { level: 'ok', topic, sentence: `Recordings, uploads and the like take up to ${gigabytes} GB.` }
  }
  const sentence = 'Recordings, uploads and the like may fill nine tenths of the disk.'
  return { level: 'note', topic, sentence, advice: 'Set AERIE_DISK_BUDGET where others use that disk too.' }
}

function inference({ inference: { used, problem } }: InstallationFacts): Finding {
  const topic = 'inference'
  if (problem !== undefined) {
    const advice = 'docs/models.md, “Accelerators”, says what it needs; AERIE_INFERENCE=cpu asks for none.'
    return { level: 'note', topic, sentence: problem, advice }
  }
  if (used === 'cpu') return { level: 'ok', topic, sentence: 'The CPU computes the models.' }
  return { level: 'ok', topic, sentence: `The models that you bring are computed by ${used}, our own by the CPU.` }
}

function database({ settings: { databaseUrl }, database: facts }: InstallationFacts): Finding[] {
  const connection = databaseConnection(databaseUrl)
  const state = databaseState(maskSecrets(databaseUrl), facts)
  if (!state) return [connection]
  return connection.level === 'ok' ? [state] : [connection, state]
}

/** Undefined when all is well with it. */
function databaseState(place: string, facts: DatabaseFacts): Finding | undefined {
  const kind = { level: 'note', topic: 'database' } as const
  switch (facts.state) {
    case 'read':
      return undefined
    case 'missing': {
      const advice =
        'Set AERIE_DATA_DIR (or AERIE_DATABASE_URL) to where your service has its data; its first start makes them.'
      return { ...kind, sentence: `There is no service data in ${place}.`, advice }
    }
    case 'older': {
      const advice =
        'The service of this version upgrades it at its next start; save it before that: `aerie backup FILE`.'
      return { ...kind, sentence: `${place} is of an older version of Aerie.`, advice }
    }
    case 'unreadable': {
      const advice = 'Is AERIE_DATABASE_URL right, and does the database run?'
      return { ...kind, sentence: `${place} cannot be read (${maskSecrets(facts.reason)}).`, advice }
    }
  }
}

function databaseConnection(databaseUrl: string): Finding {
  const topic = 'database'
  const sentence = `${maskSecrets(databaseUrl)}.`
  if (!URL.canParse(databaseUrl) || databaseUrl.startsWith('sqlite:')) return { level: 'ok', topic, sentence }
  const { hostname, password, searchParams } = new URL(databaseUrl)
  const isFar = hostname !== '' && !isLocal(withoutBrackets(hostname))
  const isEncrypted = !['disable', 'allow', 'prefer', null].includes(searchParams.get('sslmode'))
  if (isFar && !isEncrypted) {
    const advice = 'Add ?sslmode=verify-full to AERIE_DATABASE_URL, unless that network is yours alone.'
    return { level: 'note', topic, sentence: `${sentence} The connection is not encrypted.`, advice }
  }
  if (password === '') {
    const advice = 'Give the database’s user a password, unless the database knows it by other means.'
    return { level: 'note', topic, sentence: `${sentence} There is no password in it.`, advice }
  }
  return { level: 'ok', topic, sentence }
}

function unknownVariables({ settings }: InstallationFacts): Finding[] {
  return settings.unknownVariables.map((sentence) => ({ level: 'warn', topic: 'settings', sentence }))
}

const MAX_NAMED = 5

const WHY_NO_KEYS = {
  missing: 'There are none yet: the first start makes a master key.',
  older: 'The keys could not be looked at: the database is upgraded at the next start.',
  unreadable: 'The keys could not be looked at: the database cannot be read.',
}

function keys({ database: facts }: InstallationFacts): Finding[] {
  const topic = 'keys'
  if (facts.state !== 'read') return [{ level: 'note', topic, sentence: WHY_NO_KEYS[facts.state] }]
  const all = facts.keys
  const masters = all.filter(({ isMaster }) => isMaster)
  const lasting = all.filter(({ isMaster, expirationDate }) => !isMaster && expirationDate === null)
  const findings: Finding[] = []
  if (masters.length > 1) {
    const advice = 'Revoke those that nobody uses: `aerie keys revoke USERNAME`.'
    findings.push({ level: 'note', topic, sentence: `${masters.length} master keys: ${named(masters)}.`, advice })
  } else findings.push({ level: 'ok', topic, sentence: `${masters.length} master key: ${named(masters)}.` })
  if (lasting.length > 0) {
    const advice = 'Give them an end: `aerie keys update USERNAME --expiration-date YYYY-MM-DD`.'
    const sentence = `${lasting.length} of ${all.length - masters.length} child keys never expire: ${named(lasting)}.`
    findings.push({ level: 'note', topic, sentence, advice })
  }
  return findings
}

function jobs({ database: facts }: InstallationFacts): Finding[] {
  if (facts.state !== 'read') return []
  const topic = 'jobs'
  const count = facts.deadJobs.reduce((sum, kind) => sum + kind.count, 0)
  if (count === 0) return [{ level: 'ok', topic, sentence: 'No job has failed for good.' }]
  const kinds = facts.deadJobs.map(({ kind, count: ofKind, lastError }) => {
    return `${ofKind} of ${kind}${lastError ? ` (the last one: ${maskSecrets(lastError)})` : ''}`
  })
  const sentence = `${count} ${count === 1 ? 'job has' : 'jobs have'} failed for good: ${kinds.join(', ')}.`
  const advice =
    'The log has a line “job failed” for each attempt. They are not tried again, and are removed 30 days after their end.'
  return [{ level: 'note', topic, sentence, advice }]
}

function named(some: readonly KeyFacts[]): string {
  const names = some.slice(0, MAX_NAMED).map(({ username }) => username)
  return [...names, ...(some.length > MAX_NAMED ? [`and ${some.length - MAX_NAMED} more`] : [])].join(', ')
}
