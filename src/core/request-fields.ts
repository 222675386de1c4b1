import { z } from 'zod'

/** The parameter of paths that name a process. */
export const ByProcess = z.object({ process_uuid: z.uuid() })

/** The account whose things are requested: the caller's own, or those of a master's child. */
export const OwnerQuery = z.object({
  username: z.string().max(32).optional().describe('A master may name a child of its own.'),
})

/** A yes or no as query parameters are written. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A number in the query. Nothing after its `=` would be 0 otherwise. */
export function queryNumber<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? NaN : value), schema)
}

const EXAMPLES = '2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00'
const NOT_A_TIME = `Write date, time and time zone, as in ${EXAMPLES}.`

/** In a query a `+` that is not escaped is a space; nothing else can be meant where the offset stands. */
const withPlus = (sent: unknown) => (typeof sent === 'string' ? sent.replace(/ (?=\d\d:\d\d$)/, '+') : sent)

/** A moment (ISO 8601) in a query, as milliseconds. Its zone is part of it: whose midnight is meant is never guessed. */
const Moment = z
  .preprocess(withPlus, z.iso.datetime({ offset: true, error: NOT_A_TIME }).max(40))
  .transform((text) => Date.parse(text))

/** From a moment on, and before another. Without one of them the range is open on that side. */
export const TimeRangeQuery = z.object({
  from: Moment.optional().describe(
    `What was there at this time or after it: ISO 8601 with its zone, as in ${EXAMPLES}.`,
  ),
  to: Moment.optional().describe(
    'What was there before this time. A range without `from`, or without `to`, is open on that side.',
  ),
})

/** In milliseconds since the Unix epoch. */
export interface TimeRange {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** For the `superRefine` of a query that has such a range. */
export function checkTimeRange({ from, to }: TimeRange, context: z.core.$RefinementCtx): void {
  if (from === undefined || to === undefined || from < to) return
  context.addIssue({ code: 'custom', path: ['to'], message: '`to` must be later than `from`.' })
}

/** A URL of a web server that is to be called. */
export const HttpUrl = z
  .string()
  .trim()
  .max(2000)
  .superRefine((text, context) => {
    const message = whyNotHttpUrl(text)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** Undefined when it is one. */
export function whyNotHttpUrl(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text))
    return 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'
  return URL.canParse(text) && new URL(text).hostname !== ''
    ? undefined
    : 'This is not a URL; write it as in https://example.org/hook.'
}
