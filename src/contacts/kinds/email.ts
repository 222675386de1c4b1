import { isIP } from 'node:net'
import { z } from 'zod'
import { withoutBrackets } from '../../core/ip-address.ts'
import { type ContactKind } from './contact-kind.ts'
import { isAllowedPort, line } from './fields.ts'

/** One mailbox, without a name: lists and groups would be more people than were named (RFC 5322 §3.4). */
const address = line(254).refine(
  (text) => /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/u.test(text),
  'must be one address, as in guard@example.org',
)

const isHostName = (text: string) =>
  isIP(withoutBrackets(text)) !== 0 || /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text)

const config = z.strictObject({
  host: z
    .string()
    .trim()
    .max(255)
    .refine(isHostName, 'must be the name or the address of a mail server, as in smtp.example.org')
    .describe('The SMTP server that takes your mail.'),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .refine((port) => isAllowedPort(port, [25, 465, 587]), 'must be 25, 465, 587, or from 1024 on')
    .default(465),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe(
      '`tls`: encrypted from the first byte, mostly port 465. `starttls`: mostly 587; nothing is sent unless the server has it.',
    ),
  username: line(255).optional(),
  password: line(1024).optional().describe('Never shown again.'),
  from: address.describe('The sender.'),
  to: z.array(address).min(1, 'name at least one address').max(5, 'a contact has at most 5 addresses'),
})

export const email = {
  type: 'email',
  config,
  secrets: ['password'],
  secretsAreFor: ['host', 'port', 'security', 'username'],
  hostOf: ({ host, port }) => ({ path: 'host', hostname: host, port }),
} satisfies ContactKind<'email', typeof config>
