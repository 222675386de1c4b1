import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type ServicePorts } from '../core/service-ports.ts'
import { type Config } from './config.ts'

/** The settings that say what is open. */
const SHOWN = [
  'dataDir',
  'host',
  'httpPort',
  'httpRedirectPort',
  'rtspPort',
  'rtmpPort',
  'rtspsPort',
  'rtmpsPort',
  'webrtc',
  'publicUrl',
  'tls',
  'trustProxy',
  'hosts',
  'corsOrigins',
  'mediaAuth',
  'metricsAuth',
  'outbound',
  'authOrigins',
  'diskBudgetBytes',
  'objectStore',
  'inference',
  'databaseUrl',
  'unknownVariables',
  'file',
] as const satisfies readonly (keyof Config)[]

/** Those, without the secrets among them. */
export type ShownSettings = Pick<Config, (typeof SHOWN)[number]>

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Notes what a service was started with, for commands in another shell, where the environment is another one. Answers
 * how to take it back.
 */
export function noteRunningSettings(config: Config, ports: ServicePorts): () => void {
  const { dataDir, metricsAuth, databaseUrl, objectStore } = config
  const shown: ShownSettings = {
    ...(Object.fromEntries(SHOWN.map((name) => [name, config[name]])) as unknown as ShownSettings),
    ...ports,
    metricsAuth: { need: metricsAuth.need, token: metricsAuth.token && '***' },
    databaseUrl: maskSecrets(databaseUrl),
    objectStore: objectStore && { ...objectStore, accessKey: '***', secret: '***' },
  }
  writeFileSync(fileOf(dataDir), JSON.stringify(shown, null, 2), { mode: 0o600 })
  return () => rmSync(fileOf(dataDir), { force: true })
}

/** Undefined when no service was started on this folder, or it has ended as it should. */
export function readRunningSettings(dataDir: string): ShownSettings | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as ShownSettings
  } catch {
    return undefined
  }
}
