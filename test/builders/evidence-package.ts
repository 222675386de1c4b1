import { type ManifestHead, type PackageFile, writeSignedPackage } from '../../src/clips/evidence/signed-package.ts'
import { createSigningKey, type SigningKey } from '../../src/clips/evidence/signing-key.ts'

export const signingKey = createSigningKey('the secret of a service, which is long enough')

export const packageHead = {
  created_at: '2026-11-16T03:00:00.000Z',
  service: { product: 'Aerie', version: '0.1.0' },
  alias: null,
  username: 'ada',
  clips: [{ clip_uuid: '00000000-0000-7000-8000-000000000001', paths: ['clips/01-gate.mp4'] }],
}

/** Bytes as they come from a file or a socket. */
export async function* inPieces(bytes: Buffer, size = 7): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What stands in a small package: contents that are known ahead, and others that come piece by piece. */
export const smallFiles = (): PackageFile[] => [
  { name: 'README.txt', bytes: Buffer.from('What this is.\n') },
  { name: 'clips/01-gate.mp4', pieces: inPieces(Buffer.from('the pictures of a clip')), size: 22 },
  { name: 'reports/p/tracks.json', pieces: inPieces(Buffer.from('{"tracks":[]}')) },
  { name: 'reports/p/Tür-夜.txt', bytes: Buffer.alloc(0) },
]

/** A signed package in memory. */
export async function aPackage(
  files: readonly PackageFile[] = smallFiles(),
  key: SigningKey = signingKey,
  head: ManifestHead = packageHead,
): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeSignedPackage(each(files), head, key)) pieces.push(piece)
  return Buffer.concat(pieces)
}

export async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}
