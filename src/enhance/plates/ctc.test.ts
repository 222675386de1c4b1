import { describe, expect, test } from 'vitest'
import { createAlphabet, decodeCtc } from './ctc.ts'

const keys = ['A', 'B', '0', 'O', 'a', '-', '京', '8']
const alphabet = createAlphabet(keys)
const classes = ['', ...keys, ' ']

/** One step a line: the probability of each class that has any. */
function answer(...steps: readonly Partial<Record<string, number>>[]) {
  const values = Float32Array.from(steps.flatMap((step) => classes.map((name) => step[name] ?? 0)))
  return { values, shape: [1, steps.length, classes.length] }
}
const read = (...steps: readonly Partial<Record<string, number>>[]) => {
  const { characters, text } = decodeCtc(answer(...steps), alphabet)
  return { characters: characters.map(({ character }) => character).join(''), text }
}

describe('reading the recogniser’s answer', () => {
  test('a run of one class is one character, and blanks part two of the same', () => {
    expect(read({ A: 1 }, { A: 1 }, { '': 1 }, { A: 1 }, { B: 1 }).characters).toBe('AAB')
  })

  test('small letters are large ones, but are remembered', () => {
    expect(read({ a: 1 }, { A: 1 }, { B: 1 })).toEqual({ characters: 'AB', text: 'aB' })
  })

  test('separators and spaces are no characters, foreign ones neither', () => {
    expect(read({ 京: 1 }, { A: 1 }, { '-': 1 }, { B: 1 }, { ' ': 1 }, { '8': 1 })).toEqual({
      characters: 'AB8',
      text: '□A B 8',
    })
  })

  test('a foreign character that may be one of ours is taken for it', () => {
    expect(read({ 京: 0.6, B: 0.3 }).characters).toBe('B')
    expect(read({ 京: 0.99, B: 0.01 }).characters).toBe('')
  })

  test('confidence is that of the surest step, with what else it could have been there', () => {
    const { characters } = decodeCtc(
      answer({ O: 0.5, '0': 0.4 }, { O: 0.7, '0': 0.25, '': 0.05 }, { '': 1 }, { '': 1 }),
      alphabet,
    )
    expect(characters).toHaveLength(1)
    expect(characters[0]).toMatchObject({ character: 'O', confidence: expect.closeTo(0.7), position: 0.375 })
    expect(characters[0]!.alternatives.map(({ character }) => character)).toEqual(['O', '0'])
  })
})
