import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Of } from '../core/sha256.ts'

export const serviceSecretFile = (dataDir: string) => join(dataDir, 'link.secret')

/** The secret that signs our links: made once, kept beside the data. Deleting the file ends all links that are out. */
export function readServiceSecret(dataDir: string): string {
  const file = serviceSecretFile(dataDir)
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
