/** The bucket where files are kept beside the disk, as the operator has set it. */
export interface ObjectStoreConfig extends BucketAddress {
  readonly region: string
  readonly accessKey: string
  readonly secret: string
  /** Whether clients are sent to the store with a link of its own, or get files through us. */
  readonly links: 'presigned' | 'proxied'
  /** How long a file that is in the store stays on the disk too. */
  readonly keepLocalMs: number
}

export interface BucketAddress {
  /** `https://host`, with its port where it is another than usual. */
  readonly origin: string
  readonly bucket: string
  /** Before every key: empty, or names that each end with a slash. */
  readonly prefix: string
}

const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/
const PREFIX_PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** `https://host[:port]/bucket[/prefix]`; undefined when it is none. */
export function parseBucketAddress(text: string): BucketAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text)
  const isPlain = /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
  const [bucket = '', ...parts] = pathname.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (!isPlain || !BUCKET.test(bucket) || !parts.every((part) => PREFIX_PART.test(part))) return undefined
  return { origin, bucket, prefix: parts.map((part) => `${part}/`).join('') }
}
