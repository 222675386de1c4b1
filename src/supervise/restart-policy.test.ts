import { expect, test } from 'vitest'
import { alwaysRestart } from './restart-policy.ts'

test.each([
  { name: 'the first crash is answered at once', crashes: 0, inMs: 0 },
  { name: 'then the wait doubles', crashes: 3, inMs: 2_000 },
  { name: 'up to ten seconds', crashes: 30, inMs: 10_000 },
  { name: 'one that hung has cost its wait', crashes: 3, isHung: true, inMs: 0 },
])('$name', ({ crashes, isHung = false, inMs }) =>
  expect(alwaysRestart({ code: 1, signal: null, afterMs: 5_000, isHung }, crashes)).toEqual({ do: 'restart', inMs }),
)
