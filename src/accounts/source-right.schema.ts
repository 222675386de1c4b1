import { z } from 'zod'
import { toZulu } from '../core/clock.ts'
import { sourceRights } from '../core/source-rights.ts'
import { Username } from './accounts.schema.ts'
import { type StoredRights } from './source-rights.store.ts'

/** The wire's shapes of what a key has been given on single sources. */

const MEANING =
  '`watch`: its video, live and recorded; `events`: what was seen in it; `control`: starting, pausing and stopping processes on it. None has another in it.'

const Right = z.enum(sourceRights)

export const ByUsername = z.object({ username: Username })
export const ByRight = ByUsername.extend({ source_uuid: z.uuid() })

export const RightsToGive = z.strictObject({
  rights: z
    .array(Right)
    .min(1, 'Name at least one right; DELETE takes all of them.')
    .max(20)
    .describe(`All that it is to have from now on. ${MEANING}`),
})

export const GivenRights = z.object({
  username: z.string().describe('Of the key that was given them.'),
  source_uuid: z.uuid(),
  rights: z.array(Right).describe(MEANING),
  created_at: z.string().describe('When it was first given any on this source.'),
})

export const TakenRights = z.object({ username: z.string(), source_uuid: z.uuid(), deleted: z.literal(true) })

export function toGivenRights(username: string, stored: StoredRights): z.infer<typeof GivenRights> {
  return {
    username,
    source_uuid: stored.sourceId,
    rights: [...stored.rights],
    created_at: toZulu(stored.createdAt),
  }
}
