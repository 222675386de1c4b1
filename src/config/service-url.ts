import { type Config } from './config.ts'
import { reachableHost } from './reachable-host.ts'

/** How others reach the service, in addresses that nobody has asked for by another: `AERIE_PUBLIC_URL`, or else this machine. */
export function serviceUrl({ publicUrl, host, tls }: Pick<Config, 'publicUrl' | 'host' | 'tls'>, httpPort: number) {
  return publicUrl ?? `${tls ? 'https' : 'http'}://${reachableHost(host)}:${httpPort}`
}
