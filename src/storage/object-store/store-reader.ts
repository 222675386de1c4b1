import { AppError } from '../../core/errors.ts'
import { type StoredContent, type StoredFile, type StoredFileRequest } from '../../core/kept-file.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { fileRefusal } from '../../core/refusals.ts'
import { type Bucket } from './bucket.ts'
import { BucketFailure, ObjectMissing, RequestRefused } from './bucket-failure.ts'
import { type StoredFileRecord } from './stored-files.store.ts'

/** Reads from the store for users: no more at once than it and we bear, and failures as they are shown. */
export interface StoreReader {
  open(stored: StoredFileRecord, request: StoredFileRequest): Promise<StoredContent>
  toStoredFile(stored: StoredFileRecord): StoredFile
}

const MAX_AT_ONCE = 64
const RETRY_AFTER_SECONDS = 10

/** `bucket` is undefined where files were stored once, and the store is not set any more. */
export function createStoreReader(
  bucket: Pick<Bucket, 'open' | 'link'> | undefined,
  links: ObjectStoreConfig['links'],
): StoreReader {
  let open = 0

  async function openOne({ key }: StoredFileRecord, request: StoredFileRequest): Promise<StoredContent> {
    if (!bucket) throw unusable('AERIE_OBJECT_STORE_URL is not set any more.')
    if (open >= MAX_AT_ONCE) throw unusable(`As many files are being read from it as may be at once (${MAX_AT_ONCE}).`)
    open += 1
    try {
      const content = await bucket.open(key, request)
      content.body.once('close', () => (open -= 1))
      return content
    } catch (error) {
      open -= 1
      throw toAppError(error)
    }
  }

  return {
    open: openOne,
    toStoredFile: (stored) => ({
      sizeBytes: stored.sizeBytes,
      link: async (shown) => (links === 'presigned' ? bucket?.link(stored.key, shown) : undefined),
      open: (request) => openOne(stored, request),
    }),
  }
}

function unusable(reason: string, cause?: unknown): AppError {
  return new AppError('object-store-unusable', { reason }, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS })
}

export function toAppError(error: unknown): unknown {
  // Somebody has removed it from the bucket.
  if (error instanceof ObjectMissing) return new AppError('recording-not-found', {}, { cause: error })
  if (error instanceof RequestRefused) return fileRefusal(error.status, unusable(error.message, error))
  return error instanceof BucketFailure ? unusable(error.message, error) : error
}
