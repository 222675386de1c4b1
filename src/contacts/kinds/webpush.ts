import { z } from 'zod'
import { type ContactKind } from './contact-kind.ts'

const config = z.strictObject({})

export const webpush = {
  type: 'webpush',
  config,
  secrets: [],
  secretsAreFor: [],
  hostOf: () => null,
} satisfies ContactKind<'webpush', typeof config>
