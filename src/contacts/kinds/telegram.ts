import { z } from 'zod'
import { type ContactKind } from './contact-kind.ts'
import { hostOfUrl, serverUrl } from './fields.ts'
import { MASK } from './mask.ts'

const config = z.strictObject({
  bot_token: z
    .string()
    .refine(
      (text) => text === MASK || /^\d{1,20}:[A-Za-z0-9_-]{20,100}$/.test(text),
      'must be the token that BotFather gave you, as in 123456:ABC-DEF…',
    )
    .describe('Never shown again.'),
  chat_id: z
    .string()
    .regex(/^(-?\d{1,20}|@\w{1,64})$/, 'must be the number of a chat, as text, or @ and the name of a channel')
    .describe('Where the bot writes: it must be a member there, or have been written to.'),
  api_url: serverUrl('https://api.telegram.org').default('https://api.telegram.org'),
})

export const telegram = {
  type: 'telegram',
  config,
  secrets: ['bot_token'],
  secretsAreFor: ['api_url'],
  hostOf: ({ api_url: url }) => hostOfUrl('api_url', url),
} satisfies ContactKind<'telegram', typeof config>
