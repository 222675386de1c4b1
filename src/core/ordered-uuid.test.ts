import { expect, test } from 'vitest'
import { z } from 'zod'
import { firstUuidAt, orderedUuid, uuidTimeMs } from './ordered-uuid.ts'

test('ten thousand at once are valid, different and in order', () => {
  const ids = Array.from({ length: 10_000 }, () => orderedUuid())
  expect(ids.every((id) => z.uuid().safeParse(id).success)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].sort())
})

test('a clock that is set back does not break the order', () => {
  const before = orderedUuid(Date.now() + 60_000)
  expect(orderedUuid() > before).toBe(true)
})

test('an id says when it was made', () => {
  const later = Date.now() + 100_000_000
  const id = orderedUuid(later)
  expect(uuidTimeMs(id)).toBe(later)
  expect([firstUuidAt(later) <= id, firstUuidAt(later + 1) > id, firstUuidAt(-1) <= id]).toEqual([true, true, true])
})
