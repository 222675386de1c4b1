import { expect, test } from 'vitest'
import { createOutageLog } from './outage-log.ts'

test('an outage is one line when it begins and one when it is over, however often it was noticed', () => {
  let nowMs = 0
  const lines: unknown[] = []
  const outage = createOutageLog({ warn: (fields: object) => void lines.push(fields) } as never, () => nowMs)
  outage.onSuccess()
  for (; nowMs < 5_000; nowMs += 100) {
    outage.onFailure(new Error('refused'))
    outage.onSuccess()
  }
  expect(lines).toEqual([{ reason: 'refused' }])
  nowMs += 1_000
  outage.onSuccess()
  outage.onSuccess()
  expect(lines).toEqual([{ reason: 'refused' }, { away_ms: 6_000 }])
  outage.onFailure(new Error('again'))
  expect(lines).toHaveLength(3)
})
