import { expect, test } from 'vitest'
import { nodeSubject } from './subjects.ts'

test.each([
  ['north-1', 'aerie.v1.node.north-1.connect'],
  ['north.example.org', 'aerie.v1.node.north%2Eexample%2Eorg.connect'],
  ['a b*>', 'aerie.v1.node.a%20b%2A%3E.connect'],
])('%s is one token', (name, subject) => expect(nodeSubject(name, 'connect')).toBe(subject))
