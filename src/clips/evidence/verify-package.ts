import { createHash } from 'node:crypto'
import { CLOSING, Manifest, MANIFEST, PUBLIC_KEY, SIGNATURE } from './manifest.ts'
import { type PublicKey, readPublicKey } from './signing-key.ts'
import { type ZipEntry } from './zip-layout.ts'
import { type ByteSource, InvalidPackage, readMember, readZip } from './zip-reader.ts'

export interface VerifiedPackage {
  readonly manifest: Manifest
  /** The key that it is signed with. */
  readonly key: PublicKey
  /** Of the files that the manifest lists. */
  readonly bytes: number
  /** What is not as it was when it was signed, a sentence each; none where all is. */
  readonly problems: readonly string[]
}

/** Far more than 1,000,000 lines of it take. */
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
const MAX_KEY_BYTES = 4_096

/**
 * Whether a package is as it was when it was signed, to the last byte: with a key that is trusted, or with the one inside, which proves
 * only that nothing was changed since somebody signed it. Rejects with `InvalidPackage` for what is no package at all.
 */
export async function verifyPackage(source: ByteSource, trusted?: PublicKey): Promise<VerifiedPackage> {
  const entries = await readZip(source)
  const files = entries.slice(0, -CLOSING.length)
  const closing = entries.slice(-CLOSING.length)
  if (closing.map(({ name }) => name).join() !== CLOSING.join())
    throw new InvalidPackage(`It does not end with ${CLOSING.join(', ')}: it is no package of evidence.`)
  const [manifestEntry, signatureEntry, keyEntry] = closing as [ZipEntry, ZipEntry, ZipEntry]

  const manifestBytes = await readWhole(source, manifestEntry, MAX_MANIFEST_BYTES)
  const signature = await readWhole(source, signatureEntry, MAX_KEY_BYTES)
  const key = await readKey(source, keyEntry)
  requireSignature({ manifestBytes, signature }, trusted ?? key, key)
  const manifest = parseManifest(manifestBytes)
  if (manifest.key_fingerprint !== key.fingerprint)
    throw new InvalidPackage(`${MANIFEST} names another key than ${PUBLIC_KEY}.`)

  requireSameFiles(manifest, files)
  const problems: string[] = []
  let bytes = 0
  for (const [index, entry] of files.entries()) {
    bytes += entry.size
    const problem = await problemOf(source, entry, manifest.files[index]!.sha256)
    if (problem !== undefined) problems.push(problem)
  }
  return { manifest, key, bytes, problems }
}

interface Signed {
  readonly manifestBytes: Buffer
  readonly signature: Buffer
}

function requireSignature({ manifestBytes, signature }: Signed, key: PublicKey, inside: PublicKey): void {
  const bytes = Buffer.from(signature.toString('latin1'), 'base64')
  // Of base64 there are several spellings; ours is one.
  const isOurs = Buffer.from(`${bytes.toString('base64')}\n`).equals(signature)
  if (isOurs && key.isSignedBy(manifestBytes, bytes)) {
    if (inside.fingerprint !== key.fingerprint)
      throw new InvalidPackage(`${PUBLIC_KEY} was changed: it is another key.`)
    return
  }
  if (isOurs && inside.isSignedBy(manifestBytes, bytes))
    throw new InvalidPackage(
      `It is signed with another key than the one that it is checked with: ${inside.fingerprint}, not ${key.fingerprint}.`,
    )
  throw new InvalidPackage(`The signature is not right: ${MANIFEST} or ${SIGNATURE} was changed.`)
}

async function readKey(source: ByteSource, entry: ZipEntry): Promise<PublicKey> {
  const pem = await readWhole(source, entry, MAX_KEY_BYTES)
  const key = readPublicKey(pem.toString('utf8'))
  if (!key || !Buffer.from(key.pem).equals(pem)) throw new InvalidPackage(`${PUBLIC_KEY} was changed: it is no key.`)
  return key
}

function parseManifest(bytes: Buffer): Manifest {
  try {
    return Manifest.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new InvalidPackage(`${MANIFEST} is not of a form that this version knows.`, { cause: error })
  }
}

/** By name, place and size: what was left out, put in or moved is named. */
function requireSameFiles({ files: listed }: Manifest, entries: readonly ZipEntry[]): void {
  const count = Math.max(listed.length, entries.length)
  for (let index = 0; index < count; index++) {
    const [wanted, found] = [listed[index], entries[index]]
    if (!wanted) throw new InvalidPackage(`${found!.name} is not in ${MANIFEST}: it was put in.`)
    if (!found) throw new InvalidPackage(`${wanted.path} is missing.`)
    if (wanted.path !== found.name)
      throw new InvalidPackage(
        `Where ${wanted.path} should be there is ${found.name}: it was renamed, moved or left out.`,
      )
    if (wanted.size !== found.size)
      throw new InvalidPackage(`${wanted.path} was changed: it has ${found.size} bytes instead of ${wanted.size}.`)
  }
}

async function problemOf(source: ByteSource, entry: ZipEntry, sha256: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of readMember(source, entry)) hash.update(piece)
  } catch (error) {
    if (!(error instanceof InvalidPackage)) throw error
    return error.message
  }
  return hash.digest('hex') === sha256 ? undefined : `${entry.name} was changed.`
}

async function readWhole(source: ByteSource, entry: ZipEntry, maxBytes: number): Promise<Buffer> {
  if (entry.size > maxBytes) throw new InvalidPackage(`${entry.name} is too long.`)
  const pieces: Buffer[] = []
  for await (const piece of readMember(source, entry)) pieces.push(piece)
  return Buffer.concat(pieces)
}
