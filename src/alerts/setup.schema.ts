import { z } from 'zod'
import { type Kind, kinds } from './analyses/kinds.ts'

/** What an alert of any type is set up with. */
export const Setup = z.discriminatedUnion('type', setupsOf(kinds))
export type Setup = z.infer<typeof Setup>

type SetupsOf<Kinds extends readonly Kind[]> = { [Index in keyof Kinds]: Kinds[Index]['setup'] }

// A map over a tuple forgets that it was one, and with that which schema stands where.
function setupsOf<Kinds extends readonly Kind[]>(all: Kinds): SetupsOf<Kinds> {
  return all.map(({ setup }) => setup) as SetupsOf<Kinds>
}
