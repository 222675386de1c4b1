import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Clock } from '../../core/clock.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { createBucket } from './bucket.ts'

/** What is found when a small file is put into a bucket, read from there and removed again. */
export interface BucketFacts {
  /** The first thing that went wrong, in a sentence. */
  readonly problem: string | null
  /** How far the store's clock is ahead of ours; null where it does not say. */
  readonly skewMs: number | null
}

const MAX_MS = 30_000
const CONTENT = 'Aerie was here.\n'

export async function examineBucket(config: ObjectStoreConfig, clock: Clock): Promise<BucketFacts> {
  const bucket = createBucket(config, clock)
  const signal = AbortSignal.timeout(MAX_MS)
  const folder = await mkdtemp(join(tmpdir(), 'aerie-doctor-'))
  const file = join(folder, 'test')
  const key = `doctor/${randomUUID()}`
  try {
    await writeFile(file, CONTENT)
    await bucket.put(key, file, { contentType: 'text/plain', signal })
    const { body } = await bucket.open(key, { signal })
    const isSame = (await buffer(body)).toString() === CONTENT
    await bucket.remove(key, signal)
    const problem = isSame ? null : `The object store ${config.origin} gave other bytes than it took.`
    return { problem, skewMs: await skewOf(config, clock) }
  } catch (error) {
    return { problem: (error as Error).message, skewMs: await skewOf(config, clock) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Every answer is dated, also a refusal. */
async function skewOf({ origin }: ObjectStoreConfig, clock: Clock): Promise<number | null> {
  try {
    const response = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(dateMs) ? null : dateMs - clock.now()
  } catch {
    return null
  }
}
