import { expect, test } from 'vitest'
import { coresWords, leftWords, roomWords, summaryOf } from './node-words.ts'

test('what is not measured yet, or no more, is no zero', () => {
  const load = { cores: 4, free_cores: 1.26, room: 0 }
  const state = 'alive'
  expect(roomWords({ state, load })).toBe('0')
  expect(coresWords({ state, load })).toBe('1.3 of 4')
  expect(roomWords({ state, load: { ...load, room: null } })).toBe('–')
  for (const node of [{ state, load: null } as const, { state: 'dead', load } as const])
    expect([roomWords(node), coresWords(node)]).toEqual(['–', '–'])
})

const work = { state: 'draining', processes: 0, files: 0, cameras: 0 } as const

test.each([
  [{ ...work, state: 'alive', processes: 3 } as const, ''],
  [{ ...work, processes: 3, files: 1, cameras: 1 }, '2 processes and 1 camera left'],
  [{ ...work, processes: 1, files: 1 }, 'only 1 video file left'],
  [{ ...work, cameras: 2 }, '2 cameras left'],
  [work, 'can be stopped'],
])('of %j is left: %s', (node, words) => expect(leftWords(node)).toBe(words))

const a = { node: 'a', state: 'alive' } as const
const none = { processes: 0, cameras: 0 }

test.each([
  [[a], none, 'good', '1 node takes processes.'],
  [[a, { node: 'b', state: 'alive' }], none, 'good', '2 nodes take processes.'],
  [[a, { node: 'b', state: 'dead' }, { node: 'c', state: 'silent' }], none, 'calm', 'Not heard of: b, c.'],
  [[a], { processes: 1, cameras: 2 }, 'calm', 'takes it: 1 process and 2 cameras.'],
  [[{ node: 'a', state: 'draining' }], { processes: 1, cameras: 0 }, 'problem', 'No node takes processes'],
] as const)('%j, unplaced %j: %s', (nodes, unplaced, kind, words) => {
  const summary = summaryOf({ nodes, unplaced })
  expect(summary.kind).toBe(kind)
  expect(summary.sentence).toContain(words)
})
