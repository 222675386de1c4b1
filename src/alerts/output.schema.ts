import { z } from 'zod'
import { maskSecrets } from '../core/mask-secrets.ts'
import { newWebhookSecret } from '../core/outbound-message.ts'
import { HttpUrl } from '../core/request-fields.ts'
import { readBrokerAddress } from './broker-address.ts'

/** The most outputs of one alert. */
const MAX_OUTPUTS = 8
/** Mosquitto takes 200. */
const MAX_TOPIC_LEVELS = 100
/** What stands where a password is. */
const MASK = '***'

/** Of Standard Webhooks; or the mask, as it is shown. */
function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]{1,100}={0,2})$/.exec(text) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64').length
  return text === MASK || (bytes >= 24 && bytes <= 64)
}

const host = z
  .string()
  .max(500)
  .superRefine((text, context) => {
    const address = readBrokerAddress(text)
    if ('problem' in address) context.addIssue({ code: 'custom', message: address.problem })
  })
  .describe('`host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL.')

const topic = z
  .string()
  .min(1, 'name a topic, for example site/alerts')
  .max(1024)
  .refine((text) => !/[+#]/.test(text), 'must have no + and no #, which only subscribers may use')
  // MQTT 5 §1.5.4 and §4.7: brokers hang up on these, and with that on everything else that goes there.
  .refine(
    (text) => !/[\p{Control}\p{Noncharacter_Code_Point}]/u.test(text),
    'must have no control characters: brokers hang up on them',
  )
  .refine(
    (text) => text.split('/').length <= MAX_TOPIC_LEVELS,
    `must have at most ${MAX_TOPIC_LEVELS} levels: brokers hang up on deeper ones`,
  )
  .refine((text) => !text.startsWith('$'), 'must not begin with $: such topics belong to the broker')

const Mqtt = z.strictObject({
  type: z.literal('mqtt'),
  config: z.strictObject({
    host,
    topic,
    username: z.string().max(255).optional(),
    password: z.string().max(1024).optional().describe('Never shown again.'),
    qos: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(1),
    retain: z.boolean().default(false),
  }),
})

const Webhook = z.strictObject({
  type: z.literal('webhook'),
  config: z.strictObject({
    url: HttpUrl.describe('Receives every notification as a POST.'),
    secret: z
      .string()
      .refine(isSecret, 'must be whsec_ and 24 to 64 bytes in base64; leave it out, and one is made for you')
      .optional()
      .describe('By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once.'),
  }),
})

const Contact = z.strictObject({
  type: z.literal('contact'),
  config: z.strictObject({
    contact_uuid: z.uuid().describe('One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.'),
  }),
})

export const Output = z.discriminatedUnion('type', [Mqtt, Webhook, Contact])
export type Output = z.infer<typeof Output>

export const Outputs = z
  .array(Output)
  .min(1, 'name at least one output, or nobody will be told')
  .max(MAX_OUTPUTS, `an alert has at most ${MAX_OUTPUTS} outputs`)
  .describe('Who is told.')

/** As it is shown: without passwords and keys. */
export function maskOutput(output: Output): Output {
  if (output.type === 'webhook') {
    const { url, secret } = output.config
    return { ...output, config: { url: maskSecrets(url), ...(secret !== undefined && { secret: MASK }) } }
  }
  if (output.type === 'contact') return output
  const { config } = output
  const hidden = config.password !== undefined && { password: MASK }
  return { ...output, config: { ...config, host: maskSecrets(config.host), ...hidden } }
}

/**
 * A client that reads an alert, changes it and sends it back sends the mask where the secret was: what is otherwise the same keeps
 * its secret. Several may look the same: the one in the same place is meant, and each only once.
 */
export function withKeptSecrets(sent: readonly Output[], known: readonly Output[]): Output[] {
  const left = known.map((output): string | null => JSON.stringify(maskOutput(output)))
  const take = (index: number): Output | undefined => {
    if (index >= 0) left[index] = null
    return known[index]
  }
  const kept = sent.map((output, index) => (left[index] === JSON.stringify(output) ? take(index) : undefined))
  return sent.map((output, index) => kept[index] ?? take(left.indexOf(JSON.stringify(output))) ?? output)
}

/** Each webhook that was sent without a secret has one of its own; the same address twice is one receiver. */
export function withNewSecrets(outputs: readonly Output[]): Output[] {
  const made = new Map<string, string>()
  return outputs.map((output) => {
    if (output.type !== 'webhook' || output.config.secret !== undefined) return output
    const { url } = output.config
    const secret = made.get(url) ?? newWebhookSecret()
    made.set(url, secret)
    return { ...output, config: { url, secret } }
  })
}

/** As `maskOutput` does, but for a secret that was made for what was sent: it is shown this once. */
export function maskButNewSecret(output: Output, sent: unknown): Output {
  const masked = maskOutput(output)
  const { config } = sent as { readonly config: { readonly secret?: unknown } }
  if (output.type !== 'webhook' || masked.type !== 'webhook' || config.secret !== undefined) return masked
  return { ...masked, config: { ...masked.config, secret: output.config.secret } }
}

/** Whether a mask was sent for a secret that is not known. */
export function isMaskLeft(output: Output): boolean {
  if (output.type === 'contact') return false
  const { config } = output
  if ('url' in config) return config.secret === MASK || config.url.includes(MASK)
  return config.password === MASK || config.host.includes(MASK)
}
