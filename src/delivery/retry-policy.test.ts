import { expect, test } from 'vitest'
import { waitAfter } from './retry-policy.ts'

test.each([
  { name: 'the first wait is a second', failures: 1, waitMs: 1_000 },
  { name: 'the wait grows by a quarter each time', failures: 4, waitMs: 1_953 },
  { name: 'ten minutes are the longest', failures: 40, waitMs: 600_000 },
  { name: 'a receiver may ask for more', failures: 1, retryAfterMs: 30_000, waitMs: 30_000 },
  { name: 'but not for more than an hour', failures: 1, retryAfterMs: 1e12, waitMs: 3_600_000 },
  { name: 'and never for less', failures: 4, retryAfterMs: 1, waitMs: 1_953 },
])('$name', ({ failures, retryAfterMs, waitMs }) =>
  expect(waitAfter({ kind: 'webhook', failures, retryAfterMs }, 0.5)).toBe(waitMs),
)

test('a broker is asked for every few seconds', () => {
  expect(waitAfter({ kind: 'mqtt', failures: 40 }, 0.5)).toBe(5_000)
})

test('after an outage of any length a receiver waits for a third of it at most', () => {
  const waits = (random: number) =>
    Array.from({ length: 25 }, (_, index) => waitAfter({ kind: 'webhook', failures: index + 1 }, random))
  let awayMs = 0
  for (const waitMs of waits(1)) {
    if (awayMs > 20_000) expect(waitMs / awayMs).toBeLessThan(1 / 3)
    awayMs += waitMs
  }
})

test('waits are spread', () => {
  const at = (random: number) => waitAfter({ kind: 'webhook', failures: 1 }, random)
  expect([at(0), at(1)]).toEqual([800, 1_200])
})
