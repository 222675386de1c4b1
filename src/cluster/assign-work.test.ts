import { expect, test } from 'vitest'
import { assignWork, type Unowned } from './assign-work.ts'
import { type Candidate } from './choose-node.ts'

function node(id: string, room: number, change: Partial<Candidate> = {}): Candidate {
  return { id, epoch: 7, labels: [], isDraining: false, room, ...change }
}
function item(id: string, change: Partial<Unowned> = {}): Unowned {
  return { id, labels: [], preferred: [], formerly: null, ...change }
}
const items = (count: number, change: Partial<Unowned> = {}) =>
  Array.from({ length: count }, (_, n) => item(`p${n}`, change))

function counts(work: readonly Unowned[], nodes: readonly Candidate[], isBackOnly = false): Record<string, number> {
  const result: Record<string, number> = {}
  for (const { nodeId } of assignWork(work, nodes, isBackOnly).assignments) result[nodeId] = (result[nodeId] ?? 0) + 1
  return result
}

test('where there is more room, more goes', () =>
  expect(counts(items(12), [node('a', 10), node('b', 4), node('c', 2)])).toEqual({ a: 9, b: 3 }))

test('when all are full, it goes on evenly', () =>
  expect(counts(items(9), [node('a', 1), node('b', 0), node('c', -1)])).toEqual({ a: 4, b: 3, c: 2 }))

test('a node that is back gets its own again, whatever room others have', () =>
  expect(counts(items(3, { formerly: 'a' }), [node('a', 0), node('b', 50)])).toEqual({ a: 3 }))

test('where its video is live it is better than where it was', () =>
  expect(counts(items(1, { formerly: 'a', preferred: ['b'] }), [node('a', 9), node('b', 0)])).toEqual({ b: 1 }))

test('whoever only came gives nodes that are back their own, and nothing to others', () => {
  const work = [item('1', { formerly: 'a', preferred: ['b'] }), item('2', { formerly: 'gone' }), item('3')]
  expect(counts(work, [node('a', 0), node('b', 9)], true)).toEqual({ a: 1 })
  expect(counts(work, [node('a', 0, { isDraining: true }), node('b', 9)], true)).toEqual({})
})

test('what no node has the labels for waits, and says why', () => {
  const { assignments, refused } = assignWork([item('1', { labels: ['gpu'] }), item('2')], [node('a', 1)])
  expect(assignments).toEqual([{ id: '2', nodeId: 'a', epoch: 7 }])
  expect(refused).toEqual([{ id: '1', objection: expect.stringContaining('has gpu') as string }])
})

test('without a node nothing is given to anybody', () =>
  expect(assignWork(items(2), [])).toMatchObject({ assignments: [], refused: [{ id: 'p0' }, { id: 'p1' }] }))
