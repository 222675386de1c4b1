import { expect, test } from 'vitest'
import { endOf, latestEnded } from './end-words.ts'

test.each([
  ['finished', 'source-ended', 'finished'],
  ['stopped', 'requested', 'stopped by its user'],
  ['failed', 'pipeline-crashed', 'failed: it crashed'],
  ['failed', 'of-a-newer-service', 'failed'],
  ['stopped', null, 'stopped'],
] as const)('%s by %s reads “%s”', (state, stop_reason, words) => {
  expect(endOf({ state, stop_reason })).toBe(words)
})

test('those that ended last come first; what goes on is not among them', () => {
  const at = (stopped_at: string | null) => ({ stopped_at })
  const processes = [at(null), at('2026-01-01T00:00:01Z'), at('2026-01-01T00:00:03Z'), at('2026-01-01T00:00:02.5Z')]
  expect(latestEnded(processes, 2)).toEqual([at('2026-01-01T00:00:03Z'), at('2026-01-01T00:00:02.5Z')])
})
