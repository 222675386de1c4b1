import { z } from 'zod'

/** A yes or no as query parameters are written. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true')
