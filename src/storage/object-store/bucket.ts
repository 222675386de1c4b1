import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type Clock } from '../../core/clock.ts'
import { type StoredContent, type StoredFileRequest } from '../../core/kept-file.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { retry } from '../../core/retry.ts'
import { BucketFailure, ObjectMissing } from './bucket-failure.ts'
import { type Answer, type BucketRequest, createSignedRequests } from './bucket-request.ts'

/** The operator's bucket: what failed rejects with a `BucketFailure`. */
export interface Bucket {
  /** Resolves with its size when the whole file is there, which is asked of the store afterwards. */
  put(
    key: string,
    file: string,
    options: { readonly contentType: string; readonly signal?: AbortSignal },
  ): Promise<number>
  open(key: string, request: StoredFileRequest): Promise<StoredContent>
  /** Rejects with `ObjectMissing` where there is none. */
  sizeOf(key: string): Promise<number>
  /** One that is not there is as good as removed. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  /** Works without a key, for a few minutes. */
  link(key: string, shown: { readonly contentType: string; readonly downloadName: string }): Promise<string>
}

/** Until an answer begins. */
const ANSWER_MS = 10_000
/** A store behind a slow line takes its time, but something must move. */
const STANDSTILL_MS = 60_000
const READ_STANDSTILL_MS = 30_000
const MAX_TRIES = 3
const RETRY_AFTER_MS = 300
/** Of a link: players ask for the next range by it, and get another one from us after that. */
const LINK_SECONDS = 300
/** What a store takes in one request (S3 API, PutObject). */
export const MAX_PUT_BYTES = 5 * 2 ** 30

export function createBucket(
  config: ObjectStoreConfig,
  clock: Pick<Clock, 'now' | 'sleep'>,
  answerMs = ANSWER_MS,
): Bucket {
  const requests = createSignedRequests(config, clock, answerMs)

  /** What fails by chance is tried again at once, before anybody is told. */
  function send(request: BucketRequest): Promise<Answer> {
    return retry(async () => ({ tried: await tryOnce(request) }), {
      clock,
      waitMs: RETRY_AFTER_MS,
      isWanted: (tries) => tries < MAX_TRIES && !request.signal?.aborted,
      onRetry: () => {},
    }).then(({ tried }) => {
      if (tried instanceof BucketFailure) throw tried
      return tried
    })
  }

  /** Only what passes is to be tried again; the rest is an outcome. */
  async function tryOnce(request: BucketRequest): Promise<Answer | BucketFailure> {
    try {
      return await requests.send(request)
    } catch (error) {
      if (error instanceof BucketFailure && !error.isPassing) return error
      request.signal?.throwIfAborted()
      throw error
    }
  }

  async function head(key: string): Promise<Headers> {
    const answer = await send({ method: 'HEAD', key })
    answer.end()
    return answer.response.headers
  }

  return {
    async put(key, file, { contentType, signal }) {
      const { size } = await stat(file)
      if (size > MAX_PUT_BYTES)
        throw new BucketFailure(`${key} has more than the 5 GB that an object store takes at once.`, 'file', false)
      let md5 = createHash('md5')
      const answer = await send({
        method: 'PUT',
        key,
        headers: { 'content-length': String(size), 'content-type': contentType },
        body(onProgress) {
          md5 = createHash('md5')
          return bytesOf(file, md5, onProgress)
        },
        signal,
        patienceMs: STANDSTILL_MS,
      })
      answer.end()
      checkDigest(key, answer.response.headers, md5.digest('hex'))
      const stored = sizeIn(await head(key))
      if (stored !== size)
        throw new BucketFailure(
          `The object store took ${size} bytes of ${key}, but has ${stored} of them.`,
          'file',
          true,
        )
      return size
    },

    async open(key, { range, ifMatch, signal }) {
      const headers = { ...(range !== undefined && { range }), ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
      const answer = await send({ method: 'GET', key, headers, signal })
      const { status, headers: answered } = answer.response
      const sizeBytes = sizeIn(answered)
      if (sizeBytes === undefined) {
        answer.end()
        throw new BucketFailure(`The object store does not say how long ${key} is.`, 'file', false)
      }
      return {
        status: status === 206 ? 206 : 200,
        headers: pick(answered, ['content-length', 'content-range', 'etag', 'last-modified']),
        body: toReadable(answer, key, sizeBytes),
      }
    },

    async sizeOf(key) {
      return sizeIn(await head(key)) ?? 0
    },

    async remove(key, signal) {
      try {
        const answer = await send({ method: 'DELETE', key, signal })
        answer.end()
      } catch (error) {
        if (!(error instanceof ObjectMissing)) throw error
      }
    },

    link: (key, { contentType, downloadName }) =>
      requests.link(key, LINK_SECONDS, {
        'response-content-type': contentType,
        'response-content-disposition': `inline; filename="${downloadName}"`,
      }),
  }
}

function bytesOf(file: string, hash: Hash, onProgress: () => void): ReadableStream<Uint8Array> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      onProgress()
      hash.update(chunk)
      yield chunk
    }
    onProgress()
  }
  return Readable.toWeb(Readable.from(chunks())) as ReadableStream<Uint8Array>
}

/** An ETag is the MD5 of what was put in one request, unless the store encrypts with keys of its own (S3 API, Object). */
function checkDigest(key: string, headers: Headers, md5: string): void {
  const etag = /^"?([0-9a-f]{32})"?$/.exec(headers.get('etag') ?? '')?.[1]
  const isEncrypted = /^aws:kms/.test(headers.get('x-amz-server-side-encryption') ?? '')
  if (etag === undefined || isEncrypted || etag === md5) return
  throw new BucketFailure(`The object store has other bytes of ${key} than were sent.`, 'file', true)
}

function sizeIn(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** The store must keep on sending while somebody reads; a reader who is slow is none of its business. */
function toReadable({ response, deadline, toFailure, end }: Answer, key: string, sizeBytes: number): Readable {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let left = sizeBytes
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
    try {
      while (reader) {
        deadline.set(READ_STANDSTILL_MS)
        const { done, value } = await reader.read()
        deadline.clear()
        if (done) break
        left -= value.byteLength
        yield value
      }
    } catch (error) {
      throw toFailure(error)
    }
    if (left !== 0) throw new BucketFailure(`The object store ended in the middle of ${key}.`, 'store', true)
  }
  const body = Readable.from(chunks(), { objectMode: false })
  body.once('close', end)
  return body
}
