import { type z } from 'zod'
import { type NamedHost } from '../../core/check-hosts.ts'
import { type ContactType } from '../../core/contact.ts'

/** All that there is to say about one type of contact, on this side of what sends to it; `kinds.ts` lists them. */
export interface ContactKind<Type extends ContactType = ContactType, Config extends z.ZodObject = z.ZodObject> {
  /** Its name in the API. */
  readonly type: Type
  readonly config: Config
  /** The fields that are never shown. */
  readonly secrets: readonly string[]
  /** Where secrets go: they are for these alone, and are not kept when one of these changes. */
  readonly secretsAreFor: readonly string[]
  /** The host that is called; null where devices say that. `path` is that of its field. */
  hostOf(config: z.infer<Config>): NamedHost | null
}
