import { toAskedStretch } from '../core/asked-stretch.ts'
import { inputInvalid } from '../core/refusals.ts'
import { type TimeRange } from '../core/request-fields.ts'

/** A line of time in equal steps: whole ones, counted from midnight. */
export interface Grid {
  readonly from: number
  readonly to: number
  readonly stepMs: number
  readonly steps: number
}

/** Each is a part of the one after the next, and of an hour or a day. */
export const STEP_SECONDS = [1, 5, 60, 120, 300, 600, 1800, 3600, 7200] as const

const HOUR_MS = 3_600_000
const DEFAULT_MS = 24 * HOUR_MS
const MAX_DAYS = 31
/** What a page can draw, beside each other. */
const DEFAULT_MAX_STEPS = 744
const MAX_STEPS = 3_600
const MINUTE_SECONDS = 60

/** Throws what is wrong with the question, as a sentence. */
export function toGrid(asked: TimeRange, stepSeconds: number | undefined, now: number): Grid {
  const { from, to } = toAskedStretch(asked, {
    nowMs: now,
    defaultMs: DEFAULT_MS,
    maxMs: MAX_DAYS * 24 * HOUR_MS,
    tooLong: `Ask for at most ${MAX_DAYS} days at a time.`,
  })
  const seconds = stepSeconds ?? chooseStep(to - from)
  if (seconds < MINUTE_SECONDS && to - from > HOUR_MS) throw stepsInvalid('Steps of less than a minute are for at most an hour: ask for less time, or for longer steps.') // prettier-ignore
  if ((to - from) / (seconds * 1000) > MAX_STEPS)
    throw stepsInvalid(`There may be at most ${MAX_STEPS} steps: ask for less time, or for longer steps.`)
  return widen(from, to, seconds * 1000)
}

const stepsInvalid = (message: string) => inputInvalid([{ path: 'query.step_seconds', message }])

/** The shortest that makes not too many; of less than a minute for an hour at most. */
function chooseStep(ms: number): number {
  const fits = STEP_SECONDS.find(
    (seconds) => ms / (seconds * 1000) <= DEFAULT_MAX_STEPS && (seconds >= MINUTE_SECONDS || ms <= HOUR_MS),
  )
  return fits ?? STEP_SECONDS.at(-1)!
}

function widen(askedFrom: number, askedTo: number, stepMs: number): Grid {
  const from = Math.floor(askedFrom / stepMs) * stepMs
  const to = Math.ceil(askedTo / stepMs) * stepMs
  return { from, to, stepMs, steps: (to - from) / stepMs }
}
