import { expect, test } from 'vitest'
import { alwaysRestart } from './restart-policy.ts'

test.each([
  { name: 'the first crash is answered at once', afterMs: 5_000, crashes: 0, inMs: 0 },
  { name: 'then the wait doubles', afterMs: 5_000, crashes: 3, inMs: 2_000 },
  { name: 'up to ten seconds', afterMs: 5_000, crashes: 30, inMs: 10_000 },
  { name: 'a child that lived for a minute starts afresh', afterMs: 61_000, crashes: 30, inMs: 0 },
])('$name', ({ afterMs, crashes, inMs }) =>
  expect(alwaysRestart({ code: 1, signal: null, afterMs }, crashes)).toEqual({ do: 'restart', inMs }),
)
