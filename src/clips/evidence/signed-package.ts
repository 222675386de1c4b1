import { createHash } from 'node:crypto'
import { CLOSING, FORMAT, MANIFEST, type Manifest, type ManifestFile, PUBLIC_KEY, SIGNATURE } from './manifest.ts'
import { type SigningKey } from './signing-key.ts'
import { writeZip, type ZipMember } from './zip-writer.ts'

/** A file of a package. */
export type PackageFile = ZipMember & {
  /** Where it is known already: the package breaks off when it is another. */
  readonly sha256?: string
}

/** All that a manifest says but the files. */
export type ManifestHead = Omit<Manifest, 'format' | 'key_fingerprint' | 'files'>

/**
 * A zip of these files, with a signed manifest behind them that has the SHA-256 of each. Nothing is kept but the list. Where anything
 * fails it breaks off: without its end it is no package.
 */
export function writeSignedPackage(
  files: AsyncIterable<PackageFile>,
  head: ManifestHead,
  key: SigningKey,
): AsyncGenerator<Buffer> {
  return writeZip(signedMembers(files, head, key))
}

async function* signedMembers(
  files: AsyncIterable<PackageFile>,
  head: ManifestHead,
  key: SigningKey,
): AsyncGenerator<ZipMember> {
  const listed: ManifestFile[] = []
  for await (const file of files) {
    if (CLOSING.some((name) => name === file.name)) throw new Error(`${file.name} is no name for a file of a package`)
    yield* hashed(file, (entry) => listed.push(entry))
  }
  const manifest: Manifest = { format: FORMAT, ...head, key_fingerprint: key.fingerprint, files: listed }
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  yield { name: MANIFEST, bytes }
  yield { name: SIGNATURE, bytes: Buffer.from(`${key.sign(bytes).toString('base64')}\n`) }
  yield { name: PUBLIC_KEY, bytes: Buffer.from(key.pem) }
}

/** It is listed once all of it was taken, which is before the next one is. */
function* hashed(file: PackageFile, list: (file: ManifestFile) => void): Generator<ZipMember> {
  const { name: path, sha256: expected } = file
  const hash = createHash('sha256')
  let size = 0
  const add = (piece: Uint8Array) => {
    hash.update(piece)
    size += piece.byteLength
  }
  const finish = () => {
    const sha256 = hash.digest('hex')
    if (expected !== undefined && expected !== sha256) throw new Error(`${path} is not what it was when it was made`)
    list({ path, size, sha256 })
  }
  if ('bytes' in file) {
    add(file.bytes)
    finish()
    yield { name: path, bytes: file.bytes }
    return
  }
  const pieces = (async function* () {
    for await (const piece of file.pieces) {
      add(piece)
      yield piece
    }
    finish()
  })()
  yield { name: path, pieces, ...(file.size !== undefined && { size: file.size }) }
}
