import { z } from 'zod'

/** The parameter of paths that name a process. */
export const ByProcess = z.object({ process_uuid: z.uuid() })
