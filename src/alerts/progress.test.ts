import { expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { isWorthKeeping, type Progress, readStoredProgress, toStoredProgress } from './progress.ts'

const alert = anAlert()
const seenAt = { takenAtMs: 1 }
const process = { processId: 'p', accountId: 'a', sourceId: 's' }
const event = { event: 'found', data: { more: 0 } }
const none: Progress = { process, inFlight: [], unfinished: null }

test.each<{ name: string; progress: Progress; isKept: boolean }>([
  { name: 'nothing', progress: none, isKept: false },
  { name: 'nothing to end', progress: { ...none, unfinished: { alert, events: [], seenAt } }, isKept: false },
  { name: 'an end', progress: { ...none, unfinished: { alert, events: [event], seenAt } }, isKept: true },
  {
    name: 'an event in flight',
    progress: { ...none, inFlight: [{ alert, event, seenAt, sequence: 7, eventId: 'one' }] },
    isKept: true,
  },
])('$name comes back as it was', ({ progress, isKept }) => {
  expect(isWorthKeeping(progress)).toBe(isKept)
  expect(readStoredProgress(toStoredProgress(progress))).toEqual(progress)
})

test('what the first version wrote is read', () => {
  const stored = {
    process,
    telling: [{ alert, happening: event, seenAt, sequence: 7 }],
    unfinished: { alert, happenings: [event], seenAt },
  }
  const progress = readStoredProgress(JSON.stringify(stored))
  expect(progress).toEqual({
    process,
    // From now on it is the same event.
    inFlight: [{ alert, event, seenAt, sequence: 7, eventId: expect.stringMatching(/^[\da-f-]{36}$/) as string }],
    unfinished: { alert, events: [event], seenAt },
  })
  expect(JSON.parse(toStoredProgress(progress))).toMatchObject(stored)
})
