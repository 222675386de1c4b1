import { describe, expect, test } from 'vitest'
import { type FlatTable } from './flatbuffer-reader.ts'
import { readOperator } from './tflite-operator.ts'

/** A table by its fields' values; what is not given reads as its default. */
function fakeTable(fields: Readonly<Record<number, unknown>>): FlatTable {
  const get = <T>(field: number, fallback: T): T => (field in fields ? (fields[field] as T) : fallback)
  return {
    bool: (field, fallback = false) => get(field, fallback),
    int8: (field, fallback = 0) => get(field, fallback),
    uint8: (field, fallback = 0) => get(field, fallback),
    int32: (field, fallback = 0) => get(field, fallback),
    uint32: (field, fallback = 0) => get(field, fallback),
    string: (field) => get(field, ''),
    table: (field) => get<FlatTable | undefined>(field, undefined),
    tables: (field) => get(field, []),
    int32s: (field) => get(field, []),
    float32s: (field) => get(field, []),
    int64s: (field) => get(field, []),
    bytes: () => new Uint8Array(0),
  }
}

/** An operator whose code has the number `builtin` (and perhaps a name), with these options. */
function read(builtin: number, options?: Readonly<Record<number, unknown>>, name = '') {
  const code = fakeTable({ 0: builtin, 1: name })
  const operator = fakeTable({ 0: 0, 1: [1, 2, 3], 2: [4], ...(options ? { 4: fakeTable(options) } : {}) })
  return readOperator(operator, [code])
}

describe('readOperator', () => {
  test('reads a convolution with its window and activation', () => {
    expect(read(3, { 0: 0, 1: 2, 2: 1, 3: 3 })).toEqual({
      kind: 'convolution',
      inputs: [1, 2, 3],
      outputs: [4],
      padding: 'same',
      stride: { width: 2, height: 1 },
      activation: 'relu6',
    })
  })

  test('reads the activation of a depthwise convolution from its own place', () => {
    expect(read(4, { 0: 1, 1: 1, 2: 1, 3: 1, 4: 3 })).toMatchObject({ padding: 'valid', activation: 'relu6' })
  })

  test('reads a pool with its filter', () => {
    expect(read(17, { 1: 2, 2: 2, 3: 3, 4: 5 })).toMatchObject({ kind: 'max-pool', filter: { width: 3, height: 5 } })
  })

  test('takes the number of an operator from the newer field when it is there', () => {
    const operator = fakeTable({ 0: 0, 1: [1], 2: [2] })
    expect(readOperator(operator, [fakeTable({ 0: 0, 3: 114 })])).toMatchObject({ kind: 'quantize' })
  })

  test('knows the detection step by its name', () => {
    expect(read(32, undefined, 'TFLite_Detection_PostProcess')).toMatchObject({ kind: 'detection-post-process' })
  })

  test.each([
    { name: 'an unknown operator', make: () => read(99), says: /operator 99/ },
    { name: 'an unknown custom operator', make: () => read(32, undefined, 'Magic'), says: /operator Magic/ },
    { name: 'a dilated convolution', make: () => read(3, { 4: 2 }), says: /dilated/ },
    { name: 'another activation', make: () => read(0, { 0: 1 }), says: /activation 1/ },
    { name: 'half-pixel resizing', make: () => read(97, { 1: true }), says: /half-pixel/ },
    { name: 'missing options', make: () => read(3), says: /without its options/ },
  ])('refuses $name, and says what to do', ({ make, says }) => {
    expect(make).toThrow(says)
    expect(make).toThrow(/bring the model as an ONNX file/)
  })
})
