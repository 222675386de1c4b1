import { expect, test } from 'vitest'
import { gapBefore } from './recorded-gaps.ts'

test.each([
  { name: 'what both clocks see', startedAt: 65_000, gapMs: 4_800, gap: 4_800 },
  { name: 'nothing where only the wall clock jumped', startedAt: 3_665_000, gapMs: 20, gap: 20 },
  { name: 'nothing where it only arrived late', startedAt: 60_040, gapMs: 4_000, gap: 40 },
  { name: 'what was measured, where the wall clock went back', startedAt: 30_000, gapMs: 5_000, gap: 5_000 },
  { name: 'what the wall clock says, where nobody measured', startedAt: 90_000, gapMs: null, gap: 30_000 },
])('the gap before a file is $name', ({ startedAt, gapMs, gap }) =>
  expect(gapBefore({ startedAt, gapMs }, 60_000)).toBe(gap),
)
