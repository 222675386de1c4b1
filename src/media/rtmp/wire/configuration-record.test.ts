import { expect, test } from 'vitest'
import { TooManyPartsError } from '../../rtp/part-limit.ts'
import { readSetLists, withLength } from './configuration-record.ts'

const set = (...bytes: number[]) => Buffer.concat(withLength(Buffer.from(bytes)))

/** Lists of which each has a byte before its sets, which is their count. */
function read(data: Buffer, lists = 2): number[][] {
  return readSetLists(data, { start: 0, lists, headBytes: 1, countAt: (at) => data[at]! }).map((one) => [...one])
}

const two = Buffer.concat([Buffer.of(1), set(0x67, 1), Buffer.of(2), set(0x68), set(0x68, 2)])

test('all sets of all lists, in order', () => expect(read(two)).toEqual([[0x67, 1], [0x68], [0x68, 2]]))

test('what is cut short anywhere has those before', () => {
  const whole = read(two)
  for (let length = 0; length < two.length; length++) {
    const before = read(two.subarray(0, length))
    expect(before).toEqual(whole.slice(0, before.length))
    expect(before.length).toBeLessThan(whole.length)
  }
})

test('empty sets are none', () => expect(read(Buffer.concat([Buffer.of(2), set(), set(7)]), 1)).toEqual([[7]]))

test('a record of more sets than any stream has is refused', () => {
  const list = Buffer.concat([Buffer.of(255), ...Array.from({ length: 255 }, () => set())])
  expect(() => read(Buffer.concat(Array.from({ length: 9 }, () => list)), 9)).toThrow(TooManyPartsError)
})
