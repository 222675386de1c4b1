import { expect, test } from 'vitest'
import { z } from 'zod'
import { orderedUuid } from './ordered-uuid.ts'

test('ten thousand at once are valid, different and in order', () => {
  const ids = Array.from({ length: 10_000 }, () => orderedUuid())
  expect(ids.every((id) => z.uuid().safeParse(id).success)).toBe(true)
  expect(ids).toEqual([...new Set(ids)].sort())
})

test('a clock that is set back does not break the order', () => {
  const before = orderedUuid(Date.now() + 60_000)
  expect(orderedUuid() > before).toBe(true)
})
