import { inputInvalid } from './refusals.ts'
import { type TimeRange } from './request-fields.ts'

export interface StretchRules {
  readonly nowMs: number
  /** How long it is without `from`. */
  readonly defaultMs: number
  readonly maxMs: number
  /** What is said of a longer one. */
  readonly tooLong: string
}

/** What is asked for in a query, as it is meant: without `to` it ends now. Throws what is wrong with it. */
export function toAskedStretch({ from: askedFrom, to: askedTo }: TimeRange, rules: StretchRules) {
  const to = askedTo ?? rules.nowMs
  const from = askedFrom ?? to - rules.defaultMs
  if (from >= to && askedTo === undefined)
    throw inputInvalid([{ path: 'query.from', message: 'Without `to` it ends now, so `from` must be in the past.' }])
  if (from >= to) throw inputInvalid([{ path: 'query.to', message: '`to` must be later than `from`.' }])
  if (to - from > rules.maxMs) throw inputInvalid([{ path: 'query.to', message: rules.tooLong }])
  return { from, to }
}
