import { expect, test } from 'vitest'
import { interleave } from './interleave.ts'

test('packets of several channels stand behind their headers', () => {
  const packets = [
    { channel: 1, data: Buffer.from([9]) },
    { channel: 6, data: Buffer.alloc(0x102, 7) },
  ]
  const expected = Buffer.concat([Buffer.from([0x24, 1, 0, 1, 9, 0x24, 6, 1, 2]), Buffer.alloc(0x102, 7)])
  expect(interleave(packets)).toEqual(expected)
  expect(interleave([])).toHaveLength(0)
})
