import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the first start leaves the key of `admin` for its owner to find. */
export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key')
}

export function writeMasterKey(dataDir: string, key: string): void {
  writeFileSync(masterKeyFile(dataDir), `${key}\n`, { mode: 0o600, flush: true })
}
