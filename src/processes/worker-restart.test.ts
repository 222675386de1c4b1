import { expect, test } from 'vitest'
import { restartWorker } from './worker-restart.ts'

test.each([
  { name: 'the first crash is answered at once', afterMs: 5_000, crashes: 0, verdict: { do: 'restart', inMs: 0 } },
  { name: 'then the wait doubles', afterMs: 5_000, crashes: 3, verdict: { do: 'restart', inMs: 4_000 } },
  { name: 'the sixth crash in a row gives up', afterMs: 5_000, crashes: 5, verdict: { do: 'give-up' } },
  {
    name: 'a worker that lived for a minute was healthy',
    afterMs: 61_000,
    crashes: 5,
    verdict: { do: 'restart', inMs: 0 },
  },
])('$name', ({ afterMs, crashes, verdict }) =>
  expect(restartWorker({ code: null, signal: 'SIGSEGV', afterMs }, crashes)).toEqual(verdict),
)

test.each([
  { name: 'one that soon took too much memory is given up', afterMs: 5_000, verdict: { do: 'give-up' } },
  { name: 'one that long did without is not', afterMs: 61_000, verdict: { do: 'restart', inMs: 0 } },
])('$name', ({ afterMs, verdict }) =>
  expect(restartWorker({ code: null, signal: 'SIGKILL', afterMs, isOverMemory: true }, 0)).toEqual(verdict),
)
