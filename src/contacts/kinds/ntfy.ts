import { z } from 'zod'
import { type ContactKind } from './contact-kind.ts'
import { hostOfUrl, line, serverUrl } from './fields.ts'

const config = z.strictObject({
  server: serverUrl('https://ntfy.sh').default('https://ntfy.sh'),
  topic: z
    .string()
    .regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be letters, digits, _ and -, at most 64 of them')
    .describe('On a server without logins whoever knows it can read along: choose one that nobody guesses.'),
  token: line(1024).optional().describe('An access token, `tk_…`. Never shown again.'),
  username: line(255).optional(),
  password: line(1024).optional().describe('Never shown again.'),
  priority: z
    .number()
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe('1 makes no sound; 5 goes on until somebody looks. 3 by default.'),
})

export const ntfy = {
  type: 'ntfy',
  config,
  secrets: ['token', 'password'],
  secretsAreFor: ['server', 'username'],
  hostOf: ({ server }) => hostOfUrl('server', server),
} satisfies ContactKind<'ntfy', typeof config>
