import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createWorkerRestart } from './pipeline-worker.ts'

describe('restarts', () => {
  const MINUTE_MS = 60_000

  test.each([
    { name: 'the first crash is answered at once', crashes: 0, verdict: { do: 'restart', inMs: 0 } },
    { name: 'then the wait doubles', crashes: 3, verdict: { do: 'restart', inMs: 4_000 } },
    { name: 'the sixth crash in a row gives up', crashes: 5, verdict: { do: 'give-up' } },
    { name: 'one that hung has cost its wait', crashes: 3, isHung: true, verdict: { do: 'restart', inMs: 0 } },
    { name: 'and counts all the same', crashes: 5, isHung: true, verdict: { do: 'give-up' } },
  ])('$name', ({ crashes, isHung = false, verdict }) =>
    expect(
      createWorkerRestart(createFakeClock())({ code: null, signal: 'SIGSEGV', afterMs: 5_000, isHung }, crashes),
    ).toEqual(verdict),
  )

  test.each([
    { name: 'one that soon took too much memory is given up', afterMs: 5_000, verdict: { do: 'give-up' } },
    { name: 'one that long did without is not', afterMs: 61_000, verdict: { do: 'restart', inMs: 0 } },
  ])('$name', ({ afterMs, verdict }) =>
    expect(
      createWorkerRestart(createFakeClock())({ code: null, signal: 'SIGKILL', afterMs, isOverMemory: true }, 0),
    ).toEqual(verdict),
  )

  test.each([
    {
      name: 'the third time within an hour is the last',
      everyMinutes: 25,
      verdicts: ['restart', 'restart', 'give-up'],
    },
    { name: 'seldom enough it goes on', everyMinutes: 31, verdicts: ['restart', 'restart', 'restart', 'restart'] },
  ])('too much memory again and again: $name', async ({ everyMinutes, verdicts }) => {
    const clock = createFakeClock()
    const restart = createWorkerRestart(clock)
    const afterMs = everyMinutes * MINUTE_MS
    const seen: string[] = []
    for (const _ of verdicts) {
      await clock.advance(afterMs)
      seen.push(restart({ code: null, signal: 'SIGKILL', afterMs, isOverMemory: true }, 0).do)
    }
    expect(seen).toEqual(verdicts)
  })
})
