import { expect, test } from 'vitest'
import { createRefusalLog } from './refusal-log.ts'

test('a flood is a few lines, and the rest is counted', () => {
  let nowMs = 0
  const lines: object[] = []
  const log = { info: (fields: object) => void lines.push(fields), warn: () => {} }
  const refusals = createRefusalLog(log, () => nowMs, 2, 1000)
  for (let i = 0; i < 5; i++) refusals.note({ i }, 'Refused.')
  nowMs = 1000
  refusals.note({ i: 5 }, 'Refused.')
  refusals.note({ i: 6 }, 'Refused.')
  expect(lines).toEqual([{ i: 0 }, { i: 1 }, { i: 5, suppressed: 3 }, { i: 6 }])
})
