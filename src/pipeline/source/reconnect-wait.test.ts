import { expect, test } from 'vitest'
import { reconnectWaitMs } from './reconnect-wait.ts'

test('the first attempt is made at once, the next ones after growing waits of at most ten seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100].map(reconnectWaitMs)).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
})
