import { type BucketAddress } from '../../core/object-store-config.ts'

/** What the store would not do, in a sentence that says what to do. */
export class BucketFailure extends Error {
  /** `file`: only this one cannot be had; otherwise no other would go better now. */
  readonly about: 'store' | 'file'
  /** The same may go well in a moment. */
  readonly isPassing: boolean

  constructor(sentence: string, about: 'store' | 'file', isPassing: boolean, cause?: unknown) {
    super(sentence, { cause })
    this.name = 'BucketFailure'
    this.about = about
    this.isPassing = isPassing
  }
}

/** There is no such object. */
export class ObjectMissing extends BucketFailure {
  constructor(key: string) {
    super(`The object store has no ${key} any more.`, 'file', false)
  }
}

/** What HTTP says of a request for a range, or with a condition. */
export class RequestRefused extends BucketFailure {
  readonly status: 412 | 416
  readonly contentRange: string | null

  constructor(status: 412 | 416, contentRange: string | null) {
    super(`The object store answered ${status}.`, 'file', false)
    this.status = status
    this.contentRange = contentRange
  }
}

/** Nothing came back. */
export function unreachable({ origin }: BucketAddress, error: unknown): BucketFailure {
  return new BucketFailure(`The object store ${origin} cannot be reached: ${reasonOf(error)}.`, 'store', true, error)
}

export function tooSlow({ origin }: BucketAddress, seconds: number, error?: unknown): BucketFailure {
  return new BucketFailure(`The object store ${origin} did not answer within ${seconds} s.`, 'store', false, error)
}

/** `fetch failed` says nothing; what is behind it does. */
function reasonOf(error: unknown): string {
  let reason = error as NodeJS.ErrnoException
  while (reason.cause instanceof Error) reason = reason.cause
  return (reason.message || reason.code || 'the connection failed').replace(/\.$/, '')
}

export interface Refusal {
  readonly status: number
  /** Of its XML: `NoSuchBucket`. */
  readonly code: string
  readonly region: string | null
  /** How far its clock is ahead of ours. */
  readonly skewMs: number | null
  readonly contentRange: string | null
}

export function toFailure(address: BucketAddress, key: string, refusal: Refusal): BucketFailure {
  const { status, code, contentRange } = refusal
  if (status === 412 || status === 416) return new RequestRefused(status, contentRange)
  if (status === 404 && code !== 'NoSuchBucket') return new ObjectMissing(key)
  const sentence = sentenceOf(address, refusal)
  if (sentence !== undefined) return new BucketFailure(sentence, 'store', false)
  const answer = `The object store ${address.origin} answered ${status}${code && ` (${code})`}`
  if (status === 429 || status >= 500) return new BucketFailure(`${answer}.`, 'store', true)
  return new BucketFailure(`${answer} about ${key}.`, 'file', false)
}

function sentenceOf({ origin, bucket, prefix }: BucketAddress, refusal: Refusal): string | undefined {
  const { status, code, region, skewMs } = refusal
  const store = `The object store ${origin}`
  switch (code) {
    case 'SignatureDoesNotMatch':
      return `${store} says that AERIE_OBJECT_STORE_SECRET is not the secret of this key; correct it.`
    case 'InvalidAccessKeyId':
      return `${store} does not know AERIE_OBJECT_STORE_KEY; correct it.`
    case 'RequestTimeTooSkewed':
      return `${store} refuses us since its clock is ${skewText(skewMs)} ours; set the clock of this machine.`
    case 'NoSuchBucket':
      return `${store} has no bucket ${bucket}; create it, or correct AERIE_OBJECT_STORE_URL.`
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
      return wrongRegion(store, bucket, region)
    case 'QuotaExceeded':
    case 'InsufficientStorage':
    case 'XMinioStorageFull':
      return `${store} is full (${code}); make room in it, or raise its quota.`
  }
  if (status === 507) return `${store} is full; make room in it, or raise its quota.`
  if (status >= 300 && status < 400) return wrongRegion(store, bucket, region)
  if (status === 401 || status === 403)
    return `${store} does not let this key do that (${code || status}): it needs s3:PutObject, s3:GetObject and s3:DeleteObject on ${bucket}/${prefix}*.`
  return undefined
}

function wrongRegion(store: string, bucket: string, region: string | null): string {
  const advice = region === null ? 'correct AERIE_OBJECT_STORE_REGION' : `set AERIE_OBJECT_STORE_REGION to ${region}`
  return `${store} has the bucket ${bucket} in another region; ${advice}.`
}

/** Beyond this every store refuses us. */
export const MAX_SKEW_MS = 15 * 60_000

function skewText(skewMs: number | null): string {
  if (skewMs === null) return 'more than 15 minutes off'
  return `${Math.round(Math.abs(skewMs) / 60_000)} minutes ${skewMs > 0 ? 'ahead of' : 'behind'}`
}
