import { describe, expect, test } from 'vitest'
import { createInputBuffer } from './input-buffer.ts'

const anyLength = () => {}

describe('lines', () => {
  test('a line is returned once its LF has arrived, and held until then', () => {
    const input = createInputBuffer()
    input.push(Buffer.from('one\r\ntw'))
    expect(input.readLine(anyLength)).toBe('one\r')
    expect(input.readLine(anyLength)).toBeUndefined()
    expect(input.heldBytes).toBe(2)
    input.push(Buffer.from('o\n'))
    expect(input.readLine(anyLength)).toBe('two')
    expect(input.heldBytes).toBe(0)
  })

  test('the length is checked before anything is kept', () => {
    const input = createInputBuffer()
    const lengths: number[] = []
    input.push(Buffer.from('abc'))
    input.readLine((bytes) => void lengths.push(bytes))
    input.push(Buffer.from('de\nf'))
    input.readLine((bytes) => void lengths.push(bytes))
    expect(lengths).toEqual([3, 5])
    expect(() =>
      input.readLine(() => {
        throw new Error('too long')
      }),
    ).toThrow('too long')
    expect(input.heldBytes).toBe(0)
  })

  test('line ends are skipped, and the byte after them stays unread', () => {
    const input = createInputBuffer()
    expect(input.peekPastLineEnds()).toBeUndefined()
    input.push(Buffer.from('\r\n\n'))
    expect(input.peekPastLineEnds()).toBeUndefined()
    input.push(Buffer.from('\r\nab\n'))
    expect(input.peekPastLineEnds()).toBe(0x61)
    expect(input.readLine(anyLength)).toBe('ab')
  })
})

describe('blocks', () => {
  test('a block is complete wherever it was cut, and held at its full size', () => {
    const bytes = Buffer.from('0123456789')
    for (let cut = 1; cut < bytes.length; cut++) {
      const input = createInputBuffer()
      input.push(bytes.subarray(0, cut))
      expect(input.readBlock(bytes.length)).toBeUndefined()
      expect(input.heldBytes).toBe(bytes.length)
      input.push(bytes.subarray(cut))
      expect(input.readBlock(bytes.length)).toEqual(bytes)
      expect(input.heldBytes).toBe(0)
    }
  })

  test('a large part of a chunk is a view of it, a small part a copy', () => {
    const input = createInputBuffer()
    const chunk = Buffer.alloc(1_000, 7)
    input.push(chunk)
    const [small, large] = [input.readBlock(10)!, input.readBlock(900)!]
    expect(small.buffer.byteLength).toBe(10)
    expect(large.buffer).toBe(chunk.buffer)
  })

  test('a number is complete wherever it was cut', () => {
    const bytes = Buffer.from('2400007f61', 'hex')
    for (let cut = 0; cut <= 4; cut++) {
      const input = createInputBuffer()
      input.push(bytes.subarray(0, cut))
      const early = input.readUInt32()
      input.push(bytes.subarray(cut))
      expect(early ?? input.readUInt32()).toBe(0x24_00_00_7f)
      expect(input.readBlock(1)).toEqual(bytes.subarray(4))
    }
  })

  test('an empty block needs no bytes', () => {
    expect(createInputBuffer().readBlock(0)).toEqual(Buffer.alloc(0))
  })
})
