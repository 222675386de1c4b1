import { AwsClient } from 'aws4fetch'
import { type Clock } from '../../core/clock.ts'
import { createDeadline, type Deadline } from '../../core/deadline.ts'
import { type ObjectStoreConfig } from '../../core/object-store-config.ts'
import { BucketFailure, toFailure, tooSlow, unreachable } from './bucket-failure.ts'

/** A request that is under way. Its body has its own time limits, and is ended by `end`. */
export interface Answer {
  readonly response: Response
  /** Between two pieces of the body; passed, the request fails. */
  readonly deadline: Deadline
  /** What a failure of the body means. */
  readonly toFailure: (error: unknown) => BucketFailure
  readonly end: () => void
}

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
  /** Made when it is sent; moves the deadline with each piece that the store takes. */
  readonly body?: (onProgress: () => void) => ReadableStream<Uint8Array>
  readonly signal?: AbortSignal | undefined
  /** Until an answer begins, or the next piece is taken. */
  readonly patienceMs?: number
}

export type SendToBucket = (request: BucketRequest) => Promise<Answer>

/** Of an error; what comes beyond it is not read. */
const MAX_ERROR_BYTES = 16_384

export interface SignedRequests {
  send: SendToBucket
  /** A link to an object that works without any header for so long. */
  link(key: string, seconds: number, parameters: Readonly<Record<string, string>>): Promise<string>
}

/** Signed requests to one bucket, each within its time limits, with failures in words. */
export function createSignedRequests(
  config: ObjectStoreConfig,
  clock: Pick<Clock, 'now'>,
  answerMs: number,
): SignedRequests {
  const { origin, bucket, prefix, region, accessKey: accessKeyId, secret: secretAccessKey } = config
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const urlOf = (key: string) => `${origin}/${bucket}/${encodePath(prefix + key)}`

  async function refuse({ response, deadline }: Answer, key: string): Promise<never> {
    deadline.set(answerMs)
    const text = await readBeginning(response)
    const dateMs = Date.parse(response.headers.get('date') ?? '')
    throw toFailure(config, key, {
      status: response.status,
      code: /<Code>([A-Za-z0-9]{1,100})<\/Code>/.exec(text)?.[1] ?? '',
      region: response.headers.get('x-amz-bucket-region'),
      skewMs: Number.isNaN(dateMs) ? null : dateMs - clock.now(),
      contentRange: response.headers.get('content-range'),
    })
  }

  return {
    async send({ method, key, headers = {}, body, signal, patienceMs = answerMs }) {
      const stop = new AbortController()
      let isLate = false
      const deadline = createDeadline(() => {
        isLate = true
        stop.abort()
      })
      const onAbort = () => stop.abort()
      signal?.addEventListener('abort', onAbort, { once: true })
      const end = () => {
        signal?.removeEventListener('abort', onAbort)
        deadline.clear()
        stop.abort()
      }
      const toRequestFailure = (error: unknown) => {
        if (error instanceof BucketFailure) return error
        return isLate ? tooSlow(config, patienceMs / 1000, error) : unreachable(config, error)
      }
      try {
        signal?.throwIfAborted()
        deadline.set(patienceMs)
        const request = await client.sign(urlOf(key), {
          method,
          // Without it a body would be read whole, to be hashed.
          headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
          ...(body && { body: body(() => deadline.set(patienceMs)), duplex: 'half' }),
          redirect: 'manual',
          signal: stop.signal,
        })
        const response = await fetch(request)
        deadline.clear()
        const answer = { response, deadline, end, toFailure: toRequestFailure }
        if (!response.ok) return await refuse(answer, key)
        return answer
      } catch (error) {
        end()
        signal?.throwIfAborted()
        throw toRequestFailure(error)
      }
    },

    async link(key, seconds, parameters) {
      const query = new URLSearchParams({ 'X-Amz-Expires': String(seconds), ...parameters }).toString()
      const { url } = await client.sign(`${urlOf(key)}?${query}`, { aws: { signQuery: true } })
      return url
    },
  }
}

/** Its parts may hold what URLs do not. */
function encodePath(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/')
}

async function readBeginning(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_ERROR_BYTES) break
  }
  return text
}
