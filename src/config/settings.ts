import { z } from 'zod'
import { INFERENCE_PROVIDERS } from '../core/inference-provider.ts'
import { ObjectSizes } from '../core/object-size.ts'
import { PayloadLens } from '../core/telemetry-cfg.ts'
import { isCidr } from '../core/ip-address.ts'
import { MAX_PICTURE_SIDE, parsePictureLimit } from '../core/picture-limit.ts'
import { clusterFields } from './cluster-fields.ts'
import { objectStoreFields } from './object-store-fields.ts'
import { byteSize, cidrs, filePath, list, port, portOrOff, structured } from './setting-values.ts'

/** Every setting, in the order in which `config.example.yml` (generated from this) explains them. */

const sizesExample = '{"car": {"size_m": 4.2, "side": "longer"}}'
const lensesExample = '[{"payload_type": 99, "lens": "wide", "hfov": 71.5}]'

/** As it is put into the page's policy, where a host has no user, no braces, and at most one star as its first part. */
const TILES_URL = /^https?:\/\/(\{s\}\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?\/[^\s'"]*$/

const SECRET = /^[A-Za-z0-9_-]{16,128}$/
const SECRET_WORDS = '16 to 128 letters, digits, _ or -'
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
  ...clusterFields,
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
    .describe('Length of the files of a recording; of sources that are recorded by event at most ten seconds.'),
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
  AERIE_NOTIFICATION_LINK_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(8760)
    .default(168)
    .describe('How long the links to pictures and clips work that are in notifications; each ends with its key.'),
  AERIE_DISK_BUDGET: byteSize
    .optional()
    .describe(
      'Most that recordings, uploads, patches and processed video may take together, e.g. 200GB; each key has a share of it, and who exceeds it loses its own oldest. Default: until a tenth of the disk is left.',
    ),
  ...objectStoreFields,
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
