import { z } from 'zod'

/** The account whose things are requested: the caller's own, or those of a master's child. */
export const OwnerQuery = z.object({
  username: z.string().max(32).optional().describe('A master may name a child of its own.'),
})
