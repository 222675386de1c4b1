import { createHash } from 'node:crypto'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { clipFile } from '../src/clips/clip.ts'
import { orderedUuid } from '../src/core/ordered-uuid.ts'
import { openDatabase } from '../src/storage/database.ts'
import { aClipPart } from '../test/builders/clip.ts'
import { aClipRow } from '../test/builders/recorded-rows.ts'
import { type RunningService } from '../test/support/installation.ts'

const PIECE = Buffer.alloc(2 ** 20)

/** The SHA-256 of so many zeros. */
export function hashOfZeros(bytes: number): string {
  const hash = createHash('sha256')
  for (let left = bytes; left > 0; left -= PIECE.length) hash.update(PIECE.subarray(0, Math.min(left, PIECE.length)))
  return hash.digest('hex')
}

/** Clips that are ready, of nothing but zeros, which take no room on the disk. Answers their ids. */
export async function addLargeClips(
  dataDir: string,
  sourceId: string,
  count: number,
  bytes: number,
): Promise<string[]> {
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  const parts = JSON.stringify([aClipPart({ sizeBytes: bytes, sha256: hashOfZeros(bytes) })])
  const ids: string[] = []
  try {
    const { id: accountId } = await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()
    for (let n = 0; n < count; n++) {
      const id = orderedUuid()
      const row = aClipRow({ id, account_id: accountId, source_id: sourceId, parts, size_bytes: bytes })
      await database.db.insertInto('clip').values(row).execute()
      const file = join(dataDir, clipFile({ accountId, id }, 1))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, '')
      await truncate(file, bytes)
      ids.push(id)
    }
  } finally {
    await database.close()
  }
  return ids
}

/** To a file in which zeros are holes. Answers its size. */
export async function downloadPackage(service: RunningService, ids: readonly string[], file: string): Promise<number> {
  const response = await service.call('GET', `/evidence?clip_uuid=${ids.join()}&reports=false`)
  if (!response.ok) throw new Error(`The package was answered by ${response.status}: ${await response.text()}`)
  const target = await open(file, 'w')
  let size = 0
  try {
    for await (const piece of response.body! as AsyncIterable<Uint8Array>) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (!isZeros(bytes)) await target.write(bytes, 0, bytes.length, size)
      size += bytes.length
    }
    await target.truncate(size)
  } finally {
    await target.close()
  }
  return size
}

const isZeros = (bytes: Buffer) => bytes.length <= PIECE.length && bytes.equals(PIECE.subarray(0, bytes.length))
