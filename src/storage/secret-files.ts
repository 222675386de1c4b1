import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Of } from '../core/digest.ts'

/** Where the first start leaves the key of `admin` for its owner to find. */
export function masterKeyFile(dataDir: string): string {
  return join(dataDir, 'master.key')
}

export function writeMasterKey(dataDir: string, key: string): void {
  writeFileSync(masterKeyFile(dataDir), `${key}\n`, { mode: 0o600, flush: true })
}

/** There while nobody was shown the key: the start that made it may have failed later, as at a port in use. */
const unshownMark = (dataDir: string) => `${masterKeyFile(dataDir)}.new`

/** The key of a first start. */
export function keepNewMasterKey(dataDir: string, key: string): void {
  writeFileSync(unshownMark(dataDir), '', { mode: 0o600 })
  writeMasterKey(dataDir, key)
}

export function removeMasterKey(dataDir: string): void {
  rmSync(masterKeyFile(dataDir), { force: true })
  markMasterKeyShown(dataDir)
}

/** The key that an earlier start made, and nobody was shown. */
export function readUnshownMasterKey(dataDir: string): string | undefined {
  const file = masterKeyFile(dataDir)
  return existsSync(unshownMark(dataDir)) && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export function markMasterKeyShown(dataDir: string): void {
  rmSync(unshownMark(dataDir), { force: true })
}

export const serviceSecretFile = (dataDir: string) => join(dataDir, 'link.secret')

/** The secret that signs our links: made once, kept beside the data. Deleting the file ends all links that are out. */
export function readServiceSecret(dataDir: string): string {
  return readOrMake(serviceSecretFile(dataDir))
}

/** Tells the node on this data folder from one of the same name on another; says nothing about the secret. */
export function readNodeInstance(dataDir: string): string {
  return sha256Of(readOrMake(join(dataDir, 'node.secret')))
}

function readOrMake(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const secret = randomBytes(32).toString('base64url')
    writeFileSync(file, `${secret}\n`, { mode: 0o600 })
    return secret
  }
}

/** Identifies this installation among others that talk to the same broker; says nothing about the secret. */
export function toInstanceId(secret: string): string {
  return sha256Of(`instance ${secret}`).slice(0, 12)
}
