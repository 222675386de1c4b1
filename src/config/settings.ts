import { z } from 'zod'
import { parseByteSize } from '../core/byte-size.ts'
import { INFERENCE_PROVIDERS } from '../core/inference-provider.ts'
import { inputSentence } from '../core/input-sentence.ts'
import { ObjectSizes } from '../core/object-size.ts'
import { parseBucketAddress } from '../core/object-store-config.ts'
import { PayloadLens } from '../core/telemetry-cfg.ts'
import { isCidr } from '../core/ip-address.ts'
import { MAX_PICTURE_SIDE, parsePictureLimit } from '../core/picture-limit.ts'

/** Every setting, in the order in which `config.example.yml` (generated from this) explains them. */

const port = z.coerce.number().int().min(0).max(65_535)
const portOrOff = z.unknown().transform((given, context): number | 'off' => {
  // YAML of older days reads `off` as false.
  if (given === 'off' || given === false) return 'off'
  const parsed = port.safeParse(given)
  if (parsed.success && given !== true) return parsed.data
  context.addIssue({ code: 'custom', message: 'a port from 0 to 65535, or off' })
  return z.NEVER
})
/** A list: an array in the file, comma-separated in the environment. */
const list = z.union([
  z.array(z.string()),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
])
const filePath = z.string().min(1)
const cidrs = list.refine((ranges) => ranges.every(isCidr), 'addresses or ranges such as 10.0.0.0/8')
const byteSize = z.union([
  z.number().int().positive(),
  z.string().transform((text, context) => {
    const bytes = parseByteSize(text)
    if (bytes === undefined || bytes === 0) context.addIssue({ code: 'custom', message: 'a size such as 200GB' })
    return bytes ?? 0
  }),
])

/** As it stands in the file, or as JSON in the environment. */
function structured<Schema extends z.ZodType>(schema: Schema, example: string) {
  const fromText = z.string().transform((text, context): z.infer<Schema> => {
    try {
      const parsed = schema.safeParse(JSON.parse(text), { error: inputSentence })
      if (parsed.success) return parsed.data
    } catch {
      // Reported below.
    }
    context.addIssue({ code: 'custom', message: `JSON such as ${example}` })
    return z.NEVER
  })
  return z.union([schema, fromText]).optional()
}

const sizesExample = '{"car": {"size_m": 4.2, "side": "longer"}}'
const lensesExample = '[{"payload_type": 99, "lens": "wide", "hfov": 71.5}]'

/** As it is put into the page's policy, where a host has no user, no braces, and at most one star as its first part. */
const TILES_URL = /^https?:\/\/(\{s\}\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?\/[^\s'"]*$/

const SECRET = /^[A-Za-z0-9_-]{16,128}$/
const SECRET_WORDS = '16 to 128 letters, digits, _ or -'
/** As object stores issue them, with slashes and plus signs. */
const CREDENTIAL = /^[\x21-\x7e]{3,256}$/
const CREDENTIAL_WORDS = 'as the object store has issued it: 3 to 256 letters, digits and signs without spaces'
const HOST_NAME = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/

/** A range of everything would let every visitor say from where it comes. */
const isProxies = (range: string) => isCidr(range) && !/\/0+$/.test(range)
const proxies = z.unknown().transform((given, context): readonly string[] => {
  const parsed = list.safeParse(given === false || given === 'false' ? [] : given)
  if (parsed.success && parsed.data.every(isProxies)) return parsed.data
  const message = 'list the addresses or ranges of your proxies, e.g. 127.0.0.1 or 10.0.0.0/8; nobody else is believed'
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** A host with an optional port; a user and a password, or a token, before it. */
const NATS_URL =
  /^(nats|tls):\/\/([^\s/@]+@)?[\w.-]+(:\d{1,5})?$|^(nats|tls):\/\/([^\s/@]+@)?\[[\da-f:.]+\](:\d{1,5})?$/i
const NODE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const NODE_LABEL = /^[A-Za-z0-9][\w./=-]{0,62}$/
const MAX_NODE_LABELS = 32
const RTSP_URL = /^rtsps?:\/\/[^\s/?#@]+\/?$/
const rtspUrlOrOff = z.unknown().transform((given, context): string => {
  if (given === 'off' || given === false) return 'off'
  if (typeof given === 'string' && RTSP_URL.test(given) && URL.canParse(given)) return given.replace(/\/$/, '')
  context.addIssue({ code: 'custom', message: 'an address such as rtsp://10.0.0.5:8554, without a path, or off' })
  return z.NEVER
})

const isOrigin = (text: string) => text === '*' || (URL.canParse(text) && new URL(text).origin === text)

export const Settings = z.strictObject({
  AERIE_DATA_DIR: filePath
    .default('./data')
    .describe('Folder for the database, recordings, uploads and everything else that is kept.'),
  AERIE_HOST: z
    .string()
    .min(1)
    .default('0.0.0.0')
    .describe('Address to listen on; 127.0.0.1 keeps the service to this machine.'),
  AERIE_HTTP_PORT: port
    .default(8080)
    .describe(
      'Port of the HTTP API, the websockets and the console; with a certificate it speaks HTTPS. 0 means any free one.',
    ),
  AERIE_HTTP_REDIRECT_PORT: portOrOff
    .default('off')
    .describe(
      'With a certificate: a port of plain HTTP, such as 80, that sends browsers on to HTTPS. It refuses what comes with a key. Default: none.',
    ),
  AERIE_RTSP_PORT: portOrOff
    .default(8554)
    .describe(
      'Port of RTSP, which is not encrypted. off closes it where there is a certificate, once all cameras and players use RTSPS. 0 means any free one.',
    ),
  AERIE_RTMP_PORT: portOrOff
    .default(1935)
    .describe('Port of RTMP, which is not encrypted; off as for RTSP. 0 means any free one.'),
  AERIE_RTSPS_PORT: port
    .default(8322)
    .describe('Port of RTSP by TLS, open where there is a certificate. 0 means any free one.'),
  AERIE_RTMPS_PORT: port
    .default(1936)
    .describe('Port of RTMP by TLS, open where there is a certificate. 0 means any free one.'),
  AERIE_WEBRTC_PORT: port
    .default(8189)
    .describe(
      'UDP port of the WebRTC gateway, one for all viewers, and the same TCP port for networks without UDP. 0 means any free one.',
    ),
  AERIE_WEBRTC_HOST: list
    .refine((hosts) => hosts.every((host) => /^[A-Za-z0-9.:_-]{1,253}$/.test(host)), 'addresses or host names')
    .default([])
    .describe('Behind a NAT: the addresses or names by which browsers reach that port from outside.'),
  AERIE_WEBRTC_STUN: list
    .refine(
      (urls) => urls.every((url) => /^stun:[A-Za-z0-9.:_-]{1,253}$/.test(url)),
      'servers such as stun:stun.example.org:3478',
    )
    .default([])
    .describe(
      'STUN servers that tell our address as seen from outside, e.g. stun:stun.example.org:3478. Default: none.',
    ),
  AERIE_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'How clients reach the service from outside, e.g. https://video.example.org; decides what the URLs in answers look like.',
    ),
  AERIE_MASTER_KEY: z
    .string()
    .regex(SECRET, SECRET_WORDS)
    .optional()
    .describe(
      'The master key of the username admin: random characters, such as `openssl rand -hex 24` gives. Without it one is made at the first start and written to <data dir>/master.key.',
    ),
  AERIE_DATABASE_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/|sqlite:).+/, 'postgres://user:password@host/database or sqlite:path')
    .optional()
    .describe('Default: SQLite in the data dir. PostgreSQL: postgres://user:password@host:5432/database.'),
  AERIE_NATS_URL: list
    .refine(
      (urls) => urls.every((url) => NATS_URL.test(url)),
      'servers such as nats://user:password@host:4222, or tls://…',
    )
    .refine((urls) => urls.length > 0, 'name at least one server')
    .optional()
    .describe(
      'Makes this a node of a service of several: the NATS servers by which its nodes reach each other, e.g. nats://user:password@a:4222,nats://user:password@b:4222; tls:// for an encrypted connection. It needs an AERIE_DATABASE_URL of PostgreSQL that all nodes share. Default: a service of one node.',
    ),
  AERIE_NATS_CREDENTIALS: filePath
    .optional()
    .describe('File with the credentials for these servers (.creds), where they ask for such ones.'),
  AERIE_NODE_NAME: z
    .string()
    .regex(NODE_NAME, 'up to 63 lower-case letters, digits and hyphens')
    .optional()
    .describe('Name of this node, which no other node has. Default: the name of the machine.'),
  AERIE_NODE_LABELS: list
    .refine((labels) => labels.every((label) => NODE_LABEL.test(label)), 'words such as gpu or site=north')
    .refine((labels) => labels.length <= MAX_NODE_LABELS, `no more than ${MAX_NODE_LABELS}`)
    .default([])
    .describe('What processes may ask of the node that they run on, e.g. site=north,gpu.'),
  AERIE_NODE_LEASE: z.coerce
    .number()
    .int()
    .min(3)
    .max(300)
    .default(15)
    .describe('Seconds after which a node that is not heard of is declared dead, and its processes go on elsewhere.'),
  AERIE_NODE_RTSP_URL: rtspUrlOrOff
    .optional()
    .describe(
      'How other nodes reach the RTSP port of this one, e.g. rtsp://10.0.0.5:8554; off where they cannot, as behind a mobile router: it sends them its streams itself then. Default: the first address of this machine.',
    ),
  AERIE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('trace, debug, info, warn, error or silent. Logs go to standard error, as JSON lines.'),
  AERIE_TLS_CERT: filePath
    .optional()
    .describe(
      'PEM file with the certificate chain; with AERIE_TLS_KEY it turns on HTTPS, RTSPS and RTMPS. Both are read again when they change.',
    ),
  AERIE_TLS_KEY: filePath.optional().describe('PEM file with the private key.'),
  AERIE_TRUST_PROXY: proxies
    .default([])
    .describe(
      'Behind a reverse proxy: the addresses or ranges (CIDR) of the proxies whose X-Forwarded-* headers are believed, e.g. 127.0.0.1. Default: none.',
    ),
  AERIE_HOSTS: list
    .refine(
      (names) => names.every((name) => HOST_NAME.test(name)),
      'host names such as video.example.org, without a port',
    )
    .default([])
    .describe(
      'Further names by which browsers and programs reach the service, e.g. video.example.org. It always answers to IP addresses, localhost, the name of this machine, and the names of AERIE_PUBLIC_URL and of the certificate; to any other name with 421, so that a foreign page cannot reach it by pointing its own name here.',
    ),
  AERIE_CORS_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), 'origins such as https://app.example.org, without a path, or *')
    .default([])
    .describe(
      'Web origins that may call the API from a browser, e.g. https://app.example.org; * for all. Default: none.',
    ),
  AERIE_MAP_TILES_URL: z
    .string()
    .regex(
      TILES_URL,
      'an address such as https://tiles.example.org/{z}/{x}/{y}.png; its host is a name without user and password, and {s} may only stand for the whole of its first part: https://{s}.tiles.example.org',
    )
    .refine(
      (template) => ['{z}', '{x}', '{y}'].every((place) => template.includes(place)),
      'a template with {z}, {x} and {y}',
    )
    .refine(
      (template) => [...template.matchAll(/\{[^}]*\}?/g)].every(([place]) => /^\{[zxysr]\}$/.test(place)),
      'a template with nothing but {z}, {x}, {y}, {s} (a, b or c) and {r} (@2x on fine screens) in braces',
    )
    .optional()
    .describe(
      'Where the console’s map gets its tiles, e.g. https://tiles.example.org/{z}/{x}/{y}.png. Default: a plain map that needs no internet.',
    ),
  AERIE_MAP_TILES_ATTRIBUTION: z
    .string()
    .max(300)
    .optional()
    .describe(
      'Whose the tiles are, shown on the map as most servers demand it, e.g. © OpenStreetMap contributors. Plain text.',
    ),
  AERIE_BODY_LIMIT: z.coerce
    .number()
    .int()
    .min(1024)
    .default(1_048_576)
    .describe('Largest JSON body in bytes; uploads have limits of their own.'),
  AERIE_MAX_PICTURE: z
    .string()
    .refine(
      (text) => parsePictureLimit(text) !== undefined,
      `width and height such as 8192x4320, each from 16 to ${MAX_PICTURE_SIDE}`,
    )
    .default('8192x4320')
    .describe(
      `The largest picture that is decoded, of whatever shape: what counts is the number of pixels, and no side may exceed ${MAX_PICTURE_SIDE}. One picture takes 1.5 bytes a pixel, and a process holds about twenty.`,
    ),
  AERIE_WORKER_MEMORY: z.coerce
    .number()
    .int()
    .min(512)
    .max(1_048_576)
    .optional()
    .describe(
      'MiB of memory that one process may take; beyond it, it is ended. Default: 3072; with an AERIE_MAX_PICTURE above 8192x4320 it is 1024 and 60 bytes for each of its pixels.',
    ),
  AERIE_MODEL: z
    .string()
    .min(1)
    .default('fast')
    .describe(
      'The detector that a process uses unless it names another: fast, balanced, accurate, airborne, thermal, overhead, or one of AERIE_MODELS_DIR.',
    ),
  AERIE_MODELS_DIR: filePath
    .optional()
    .describe(
      'Folder with models of your own, each in a folder with model.onnx and model.json; docs/models.md says how. Default: none.',
    ),
  AERIE_INFERENCE: z
    .enum([...INFERENCE_PROVIDERS, 'auto'])
    .default('cpu')
    .describe(
      'What computes the models that you bring: cpu, an accelerator (cuda, tensorrt, webgpu, openvino), or auto: cuda where it works. Where it does not, the CPU does; docs/models.md says what each needs.',
    ),
  AERIE_INFERENCE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Cores that one detection uses. More than one pays only while other cores are idle.'),
  AERIE_ADMIT: z
    .enum(['always', 'when-room'])
    .default('always')
    .describe(
      'Whether a process may be started on a machine that is full: always, with a warning; or only when-room. GET /system tells how many more fit.',
    ),
  AERIE_TERRAIN_DIR: filePath
    .optional()
    .describe(
      'Folder with heights of the ground (SRTM .hgt tiles, or GeoTIFF in degrees): lines of sight end at the hill instead of a plane.',
    ),
  AERIE_OBJECT_SIZES: structured(ObjectSizes, sizesExample).describe(
    `Sizes of objects by class that differ from the usual ones, as JSON or YAML: ${sizesExample}.`,
  ),
  AERIE_PAYLOAD_LENSES: structured(z.array(PayloadLens).max(1000), lensesExample).describe(
    `Fields of view of the vendor’s cameras that the built-in table lacks, as JSON or YAML: ${lensesExample}.`,
  ),
  AERIE_RECONNECT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('How long a process waits for a source that was lost before it fails. 0 means for ever.'),
  AERIE_MEDIA_AUTH: z
    .enum(['always', 'remote', 'off'])
    .default('always')
    .describe(
      'Who needs a key or a token to read streams: always everyone. remote opens all streams of all accounts to every program and user on this machine, and to every visitor of a proxy on it; off opens them to whoever reaches the ports. Publishing always needs a key.',
    ),
  AERIE_METRICS_AUTH: z
    .enum(['always', 'off'])
    .default('always')
    .describe(
      'Who needs the key of admin or AERIE_METRICS_TOKEN to read /metrics: always everyone. off opens it to whoever reaches the HTTP port: how much each process, route and machine has to do.',
    ),
  AERIE_METRICS_TOKEN: z
    .string()
    .regex(SECRET, SECRET_WORDS)
    .optional()
    .describe(
      'What Prometheus shows as a Bearer token to read /metrics, and nothing else: random characters, such as `openssl rand -hex 24` gives.',
    ),
  AERIE_RECORDING_SEGMENT_SECONDS: z.coerce
    .number()
    .int()
    .min(2)
    .max(3600)
    .default(60)
    .describe('Length of the files of a recording.'),
  AERIE_RECORDING_MERGE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(3600)
    .default(0)
    .describe(
      'A stream that comes back within this time goes on with the same recording; the break is listed in `gaps`.',
    ),
  AERIE_REPORT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3650)
    .default(30)
    .describe('How long track reports and their pictures are kept after the process has ended.'),
  AERIE_DISK_BUDGET: byteSize
    .optional()
    .describe(
      'Most that recordings, uploads, patches and processed video may take together, e.g. 200GB; each key has a share of it, and who exceeds it loses its own oldest. Default: until a tenth of the disk is left.',
    ),
  AERIE_OBJECT_STORE_URL: z
    .string()
    .refine(
      (text) => parseBucketAddress(text) !== undefined,
      'an address such as https://s3.example.org/bucket or https://s3.example.org/bucket/prefix, without user, password and parameters',
    )
    .optional()
    .describe(
      'Bucket of an object store (S3) that keeps recordings, processed video, pictures of tracks and uploads beside the disk, e.g. https://s3.example.org/bucket or https://s3.example.org/bucket/prefix; docs/object-store.md says more. Default: none.',
    ),
  AERIE_OBJECT_STORE_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'a region such as eu-central-1')
    .default('us-east-1')
    .describe('Region of that bucket, as its provider calls it.'),
  AERIE_OBJECT_STORE_KEY: z
    .string()
    .regex(CREDENTIAL, CREDENTIAL_WORDS)
    .optional()
    .describe('Access key of the object store.'),
  AERIE_OBJECT_STORE_SECRET: z
    .string()
    .regex(CREDENTIAL, CREDENTIAL_WORDS)
    .optional()
    .describe('The secret that belongs to it.'),
  AERIE_OBJECT_STORE_LINKS: z
    .enum(['proxied', 'presigned'])
    .default('proxied')
    .describe(
      'How clients get what is in the object store only: proxied through this service, or presigned: they are sent to the store with a link that works for a few minutes, so they must be able to reach it.',
    ),
  AERIE_OBJECT_STORE_KEEP_LOCAL: z.coerce
    .number()
    .min(0)
    .max(87_600)
    .default(24)
    .describe(
      'Hours for which files stay on the disk too once they are in the object store; 0 means that they leave it at once. Without room they leave it earlier.',
    ),
  AERIE_OUTBOUND_DENY: cidrs
    .default([])
    .describe('Addresses (CIDR) that the service never calls for its users, beside link-local and metadata addresses.'),
  AERIE_OUTBOUND_ALLOW: cidrs
    .default([])
    .describe(
      'Addresses (CIDR) that it may call all the same. This machine itself may be called for master keys only; 127.0.0.0/8 here lets all keys use a broker or a receiver on it.',
    ),
  AERIE_AUTH_ORIGINS: list
    .refine(
      (origins) => origins.every((origin) => origin !== '*' && isOrigin(origin)),
      'origins such as https://login.example.org',
    )
    .default([])
    .describe(
      'Web origins that the auth_url of a webhook may be of beside that of its notification_url, e.g. https://login.example.org.',
    ),
})

export type Settings = z.infer<typeof Settings>
