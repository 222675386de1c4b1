import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maskSecrets } from '../core/mask-secrets.ts'
import { type Config } from './config.ts'

/** The settings that say what is open, without the secrets among them. */
export type ShownSettings = Pick<
  Config,
  | 'dataDir'
  | 'host'
  | 'httpPort'
  | 'rtspPort'
  | 'rtmpPort'
  | 'webrtc'
  | 'publicUrl'
  | 'tls'
  | 'trustProxy'
  | 'hosts'
  | 'corsOrigins'
  | 'mediaAuth'
  | 'metricsAuth'
  | 'outbound'
  | 'authOrigins'
  | 'diskBudgetBytes'
  | 'databaseUrl'
  | 'unknownVariables'
  | 'file'
>

const fileOf = (dataDir: string) => join(dataDir, 'running.json')

/**
 * Notes what a service was started with, for whoever looks at it from another shell, where the environment is another one. Answers
 * how to take it back.
 */
export function noteRunningSettings(
  config: Config,
  ports: Pick<Config, 'httpPort' | 'rtspPort' | 'rtmpPort'>,
): () => void {
  const { dataDir, host, webrtc, publicUrl, tls, trustProxy, hosts, corsOrigins, mediaAuth, metricsAuth } = config
  const { outbound, authOrigins, diskBudgetBytes, databaseUrl, unknownVariables, file } = config
  const shown: ShownSettings = {
    ...{ dataDir, host, ...ports, webrtc, publicUrl, tls, trustProxy, hosts, corsOrigins, mediaAuth },
    ...{ outbound, authOrigins, diskBudgetBytes, unknownVariables, file },
    metricsAuth: { need: metricsAuth.need, token: metricsAuth.token && '***' },
    databaseUrl: maskSecrets(databaseUrl),
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
