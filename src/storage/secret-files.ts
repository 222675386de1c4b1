import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  const kept = readSecret(file)
  if (kept) return kept
  const secret = randomBytes(32).toString('base64url')
  writeAtOnce(file, `${secret}\n`)
  return secret
}

/** Nothing for a file that is empty, as a power cut may have left one: everybody would know that secret. */
function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Whatever happens in between, the file has all of it or is not there. */
function writeAtOnce(file: string, text: string): void {
  const partial = `${file}.part`
  writeFileSync(partial, text, { mode: 0o600, flush: true })
  renameSync(partial, file)
  flushFolder(dirname(file))
}

/** Of a new name: without this it may be gone after a power cut, though the file's content was written. */
function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Identifies this installation among others that talk to the same broker; says nothing about the secret. */
export function toInstanceId(secret: string): string {
  return sha256Of(`instance ${secret}`).slice(0, 12)
}
