import { z } from 'zod'

/** Every setting, in the order in which `config.example.yml` (generated from this) explains them. */

const port = z.coerce.number().int().min(0).max(65_535)
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
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
    .describe('Port of the HTTP API, the websockets and the console. 0 means any free one.'),
  AERIE_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'How clients reach the service from outside, e.g. https://video.example.org; decides what the URLs in answers look like.',
    ),
  AERIE_MASTER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{12,128}$/, '12 to 128 letters, digits, _ or -')
    .optional()
    .describe(
      'The master key of the username admin. Without it one is made at the first start and written to <data dir>/master.key.',
    ),
  AERIE_DATABASE_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/|sqlite:).+/, 'postgres://user:password@host/database or sqlite:path')
    .optional()
    .describe('Default: SQLite in the data dir. PostgreSQL: postgres://user:password@host:5432/database.'),
  AERIE_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('trace, debug, info, warn, error or silent. Logs go to standard error, as JSON lines.'),
  AERIE_TLS_CERT: filePath
    .optional()
    .describe('PEM file with the certificate chain; with AERIE_TLS_KEY it turns on TLS.'),
  AERIE_TLS_KEY: filePath.optional().describe('PEM file with the private key.'),
  AERIE_TRUST_PROXY: z
    .union([flag, list])
    .default(false)
    .describe(
      'Behind a reverse proxy: true, or the proxies (addresses or CIDR), whose X-Forwarded-* headers are believed.',
    ),
  AERIE_CORS_ORIGINS: list
    .default([])
    .describe(
      'Web origins that may call the API from a browser, e.g. https://app.example.org; * for all. Default: none.',
    ),
  AERIE_BODY_LIMIT: z.coerce
    .number()
    .int()
    .min(1024)
    .default(1_048_576)
    .describe('Largest JSON body in bytes; uploads have limits of their own.'),
})

export type Settings = z.infer<typeof Settings>
