import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assign, type Candidate } from './assignment.ts'

const totalOf = (pairs: readonly Candidate[]): number => pairs.reduce((sum, { score }) => sum + score, 0)

/** The best total by trying everything. */
function bestTotal(candidates: readonly Candidate[]): number {
  const [first, ...rest] = candidates
  if (!first) return 0
  const compatible = rest.filter(({ row, column }) => row !== first.row && column !== first.column)
  return Math.max(bestTotal(rest), first.score + bestTotal(compatible))
}

const candidatesUpTo = (side: number, maxLength: number) =>
  fc.uniqueArray(
    fc.record({
      row: fc.nat(side - 1),
      column: fc.nat(side - 1),
      score: fc.double({ min: 0.01, max: 1, noNaN: true }),
    }),
    { maxLength, selector: ({ row, column }) => row * side + column },
  )

test('nothing is joined where there are no candidates', () => {
  expect(assign([])).toEqual([])
})

test('the best sum wins over the best single pair', () => {
  const candidates = [
    { row: 0, column: 0, score: 0.9 },
    { row: 0, column: 1, score: 0.8 },
    { row: 1, column: 0, score: 0.8 },
  ]
  expect(totalOf(assign(candidates))).toBeCloseTo(1.6)
})

test('the sum is the largest there is, and nothing is joined twice', () => {
  fc.assert(
    fc.property(candidatesUpTo(5, 12), (candidates) => {
      const pairs = assign(candidates)
      expect(new Set(pairs.map(({ row }) => row)).size).toBe(pairs.length)
      expect(new Set(pairs.map(({ column }) => column)).size).toBe(pairs.length)
      expect(totalOf(pairs)).toBeCloseTo(bestTotal(candidates), 9)
    }),
  )
})

test('a thousand rows that all want the same thousand columns are joined within a second', () => {
  const candidates: Candidate[] = []
  for (let row = 0; row < 1000; row++) {
    for (let column = 0; column < 1000; column += 7)
      candidates.push({ row, column, score: 1 / (1 + Math.abs(row - column)) })
  }
  const startedAt = performance.now()
  expect(assign(candidates)).toHaveLength(143)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})
