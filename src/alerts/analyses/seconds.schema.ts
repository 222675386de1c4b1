import { z } from 'zod'

/** The longest time that an alert is set up with: a day. */
export const MAX_SECONDS = 86_400

export const Seconds = z.number().min(0).max(MAX_SECONDS)
