import { describe, expect, test } from 'vitest'
import { type Candidate, chooseNode, type NodeCriteria } from './choose-node.ts'

function node(id: string, change: Partial<Candidate> = {}): Candidate {
  return { id, epoch: 1, labels: [], isDraining: false, room: 0, ...change }
}

const nodes = [
  node('a', { room: 3 }),
  node('b', { room: 9, labels: ['site=south'] }),
  node('c', { room: 5, labels: ['gpu', 'site=north'] }),
  node('d', { room: 1, labels: ['gpu'] }),
  node('e', { room: 20, labels: ['gpu', 'old'], isDraining: true }),
]
const chosen = (criteria: Partial<NodeCriteria>, from: readonly Candidate[] = nodes) => {
  const choice = chooseNode(from, { labels: [], preferred: [], ...criteria })
  return 'node' in choice ? choice.node.id : choice.objection
}

describe('a process goes', () => {
  test.each<[string, Partial<NodeCriteria>, string]>([
    ['where there is most room', {}, 'b'],
    ['where its video is live, before where its file is', { preferred: ['d', 'a'] }, 'd'],
    ['where its file is, when the other is not there', { preferred: ['gone', 'a'] }, 'a'],
    ['past a node that is draining, though its video is live there', { preferred: ['e'] }, 'b'],
    ['where the label is, and most room', { labels: ['gpu'] }, 'c'],
    ['where all labels are', { labels: ['gpu', 'site=north'] }, 'c'],
    ['where the labels are, though its video is live elsewhere', { labels: ['gpu'], preferred: ['a'] }, 'c'],
    ['of those with the label to where its video is live', { labels: ['gpu'], preferred: ['d'] }, 'd'],
  ])('%s', (_name, criteria, expected) => expect(chosen(criteria)).toBe(expected))

  test('to a full node where all are', () =>
    expect(chosen({}, [node('a', { room: -4 }), node('b', { room: -2 })])).toBe('b'))
})

test.each<[string, Partial<NodeCriteria>, readonly Candidate[], RegExp]>([
  ['without a node that takes any', {}, nodes.slice(4), /^No node takes processes: all are draining/],
  [
    'with labels that no node has together',
    { labels: ['gpu', 'site=south'] },
    nodes,
    /^No node that takes processes has gpu and site=south; .* there are gpu, site=north, site=south\. Ask for others/,
  ],
  ['with a label of a node that is draining', { labels: ['old'] }, nodes, /has old; /],
  ['with a label where there is none', { labels: ['gpu'] }, nodes.slice(0, 1), /none has any label/],
])('%s it is refused with a sentence', (_name, criteria, from, sentence) =>
  expect(chosen(criteria, from)).toMatch(sentence),
)
