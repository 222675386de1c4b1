import { z } from 'zod'
import { HttpUrl } from '../core/http-url.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { readBrokerAddress } from './broker-address.ts'

/** The most outputs of one alert. */
export const MAX_OUTPUTS = 8
/** Mosquitto takes 200. */
const MAX_TOPIC_LEVELS = 100
/** What stands where a password is. */
const MASK = '***'

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
  }),
})

export const Output = z.discriminatedUnion('type', [Mqtt, Webhook])
export type Output = z.infer<typeof Output>

export const Outputs = z
  .array(Output)
  .min(1, 'name at least one output, or nobody will be told')
  .max(MAX_OUTPUTS, `an alert has at most ${MAX_OUTPUTS} outputs`)
  .describe('Who is told.')

/** As it is shown: without passwords and keys. */
export function maskOutput(output: Output): Output {
  if (output.type === 'webhook') return { ...output, config: { url: maskSecrets(output.config.url) } }
  const { config } = output
  const hidden = config.password !== undefined && { password: MASK }
  return { ...output, config: { ...config, host: maskSecrets(config.host), ...hidden } }
}

/**
 * Who reads an alert, changes it and sends it back sends the mask where the secret was: what is otherwise the same keeps
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

/** Whether a mask was sent for a secret that is not known. */
export function isMaskLeft(output: Output): boolean {
  const { config } = output
  return 'url' in config ? config.url.includes(MASK) : config.password === MASK || config.host.includes(MASK)
}
