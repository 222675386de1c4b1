import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type PublishedKind } from '../core/live-publishing.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type ServicePorts } from '../core/service-ports.ts'
import { reachableHost } from './reachable-host.ts'
import { type Settings } from './settings.ts'

/** Of a service of several nodes. */
export interface ClusterConfig {
  /** With their passwords. */
  readonly natsUrls: readonly string[]
  readonly natsCredentialsFile: string | undefined
  /** What other programs may listen to on NATS. */
  readonly natsPublish: readonly PublishedKind[]
  readonly nodeId: string
  readonly labels: readonly string[]
  readonly leaseMs: number
  /** How other nodes reach our RTSP server: null where they cannot; undefined where nobody said. */
  readonly rtspUrl: string | null | undefined
}

const MAX_NAME_LENGTH = 63

/** Undefined for a service of one node. */
export function toClusterConfig(settings: Settings): ClusterConfig | undefined {
  if (settings.AERIE_NATS_URL === undefined) return undefined
  return {
    natsUrls: settings.AERIE_NATS_URL,
    natsCredentialsFile: settings.AERIE_NATS_CREDENTIALS && resolve(settings.AERIE_NATS_CREDENTIALS),
    natsPublish: settings.AERIE_NATS_PUBLISH,
    nodeId: settings.AERIE_NODE_NAME ?? nodeNameOf(hostname()),
    labels: settings.AERIE_NODE_LABELS,
    leaseMs: settings.AERIE_NODE_LEASE * 1000,
    rtspUrl: settings.AERIE_NODE_RTSP_URL === 'off' ? null : settings.AERIE_NODE_RTSP_URL,
  }
}

/** What is missing or contradicts itself, where several nodes are wanted. */
export function clusterProblems(given: Readonly<Record<string, unknown>>): string[] {
  if (given['AERIE_NATS_URL'] === undefined) return []
  const problems: string[] = []
  if (!/^postgres(ql)?:/.test(String(given['AERIE_DATABASE_URL'])))
    problems.push(
      'AERIE_NATS_URL: it joins several nodes to one service, and they share a PostgreSQL. Set AERIE_DATABASE_URL to it ' +
        '(postgres://user:password@host:5432/database), or leave out AERIE_NATS_URL for a service of one node.',
    )
  const credentials = given['AERIE_NATS_CREDENTIALS']
  if (typeof credentials === 'string' && !existsSync(credentials))
    problems.push(`AERIE_NATS_CREDENTIALS: there is no file ${credentials}`)
  return problems
}

/** The servers as they may be shown. */
export function shownNatsUrls({ natsUrls }: ClusterConfig): string[] {
  return natsUrls.map((url) => maskSecrets(url))
}

/** A host's name as a node's: letters, digits and hyphens. */
export function nodeNameOf(host: string): string {
  const cleaned = host.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return cleaned.replace(/^-/, '').slice(0, MAX_NAME_LENGTH).replace(/-$/, '') || 'node'
}

/**
 * How other nodes reach our RTSP server: as the operator says, else by the address that we listen on, or by the first one that this
 * machine has. Null where they cannot, as when plain RTSP is closed and nobody said otherwise.
 */
export function nodeRtspUrl(
  { rtspUrl }: Pick<ClusterConfig, 'rtspUrl'>,
  host: string,
  { rtspPort }: Pick<ServicePorts, 'rtspPort'>,
): string | null {
  if (rtspUrl !== undefined) return rtspUrl
  if (rtspPort === undefined) return null
  return `rtsp://${reachableHost(host)}:${rtspPort}`
}
