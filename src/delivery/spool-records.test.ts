import { expect, test } from 'vitest'
import { encodeRecord, readRecords } from './spool-records.ts'

const SEED = 7
const aRecord = (sequence: number, text: string) => ({ sequence, payload: Buffer.from(text) })
const encode = (...records: ReturnType<typeof aRecord>[]) =>
  Buffer.concat(records.map((record) => encodeRecord(record, SEED)))
const textsIn = (bytes: Buffer, seed = SEED) => readRecords(bytes, seed).map(({ payload }) => payload.toString())

const three = [aRecord(1, 'one'), aRecord(2, ''), aRecord(5, 'three')] as const

test('records are read as they were written, whatever stands behind them', () => {
  expect(readRecords(encode(...three), SEED)).toEqual(three)
  expect(textsIn(Buffer.concat([encode(...three), Buffer.alloc(100, 0xff)]))).toEqual(['one', '', 'three'])
  expect(textsIn(Buffer.alloc(0))).toEqual([])
})

test('a last record that was cut short at any byte is none', () => {
  const whole = encode(...three)
  const begin = encode(three[0], three[1]).length
  for (let end = begin; end < whole.length; end++) {
    // As it is on a disk: what was there before stands behind it.
    for (const before of [0x00, 0xff]) {
      const torn = Buffer.alloc(whole.length + 50, before)
      whole.copy(torn, 0, 0, end)
      // A byte that was the same before is no loss.
      if (torn.subarray(0, whole.length).equals(whole)) continue
      expect(textsIn(torn)).toEqual(['one', ''])
    }
    expect(textsIn(whole.subarray(0, end))).toEqual(['one', ''])
  }
})

test('a changed bit anywhere is noticed', () => {
  const whole = encode(three[0])
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const changed = Buffer.from(whole)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(textsIn(changed)).toEqual([])
  }
})

test('what is older than the record before it, or of another seed, is left from before', () => {
  expect(textsIn(encode(aRecord(3, 'new'), aRecord(2, 'old')))).toEqual(['new'])
  expect(textsIn(encode(...three), SEED + 1)).toEqual([])
})
