import { describe, expect, test } from 'vitest'
import { readFlatbuffer } from './flatbuffer-reader.ts'

/**
 * A root table with four fields: 0 an int32 (−5), 1 left out, 2 a string ("hi"), 3 a vector of int32 (7, 8).
 * Laid out by hand: header, vtable at 8, table at 20, string at 36, vector at 44.
 */
function smallFile(): Buffer {
  const file = Buffer.alloc(56)
  file.writeUInt32LE(20, 0)
  file.write('TEST', 4, 'latin1')
  const vtable = [12, 16, 4, 0, 8, 12]
  vtable.forEach((value, index) => file.writeUInt16LE(value, 8 + 2 * index))
  file.writeInt32LE(20 - 8, 20)
  file.writeInt32LE(-5, 24)
  file.writeUInt32LE(36 - 28, 28)
  file.writeUInt32LE(44 - 32, 32)
  file.writeUInt32LE(2, 36)
  file.write('hi', 40, 'latin1')
  file.writeUInt32LE(2, 44)
  file.writeInt32LE(7, 48)
  file.writeInt32LE(8, 52)
  return file
}

describe('readFlatbuffer', () => {
  test('reads scalars, strings and vectors by field number', () => {
    const table = readFlatbuffer(smallFile(), 'TEST')
    expect(table.int32(0)).toBe(-5)
    expect(table.string(2)).toBe('hi')
    expect(table.int32s(3)).toEqual([7, 8])
    expect([...table.bytes(2)]).toEqual([104, 105])
  })

  test('answers the default for a field that was left out or that the file is too old to know', () => {
    const table = readFlatbuffer(smallFile(), 'TEST')
    expect(table.int32(1, 42)).toBe(42)
    expect(table.bool(9, true)).toBe(true)
    expect(table.table(9)).toBeUndefined()
    expect(table.tables(1)).toEqual([])
    expect(table.string(1)).toBe('')
  })

  test('works on a view that does not begin at the start of its memory', () => {
    const shifted = Buffer.concat([Buffer.alloc(3), smallFile()]).subarray(3)
    expect(readFlatbuffer(shifted, 'TEST').int32s(3)).toEqual([7, 8])
  })

  test('refuses another kind of file with a sentence', () => {
    expect(() => readFlatbuffer(smallFile(), 'TFL3')).toThrow(/marked "TEST" where "TFL3" was expected/)
  })

  test('refuses a file that was cut off anywhere, and never reads beyond it', () => {
    const file = smallFile()
    for (let length = 0; length < file.length; length++) {
      const read = () => {
        const table = readFlatbuffer(file.subarray(0, length), 'TEST')
        return [table.int32(0), table.string(2), table.int32s(3)]
      }
      expect(read, `cut to ${length} bytes`).toThrow(/not a readable flatbuffer/)
    }
  })

  test('refuses a vector that claims to be longer than the file', () => {
    const file = smallFile()
    file.writeUInt32LE(0xffffffff, 44)
    expect(() => readFlatbuffer(file, 'TEST').int32s(3)).toThrow(/lies outside of it/)
  })
})
