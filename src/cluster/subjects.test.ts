import { expect, test } from 'vitest'
import { familyOf, nodeSubject, notificationSubject, sceneSubject } from './subjects.ts'

test.each([
  ['north-1', 'aerie.v1.node.north-1.connect'],
  ['north.example.org', 'aerie.v1.node.north%2Eexample%2Eorg.connect'],
  ['a b*>', 'aerie.v1.node.a%20b%2A%3E.connect'],
])('%s is one token', (name, subject) => expect(nodeSubject(name, 'connect')).toBe(subject))

test('what belongs to an account has its name and the process as one token each', () => {
  expect(sceneSubject('pilot-1', 'p')).toBe('aerie.v1.scene.pilot-1.p')
  expect(sceneSubject('a.>', '*')).toBe('aerie.v1.scene.a%2E%3E.%2A')
  expect(notificationSubject('pilot-1', 'p', 'new-tracks')).toBe('aerie.v1.notification.pilot-1.p.new-tracks')
})

test.each([
  ['aerie.v1.scene.pilot.p', 'aerie.v1.scene.>'],
  ['aerie.v1.node.north-1.connect', 'aerie.v1.node.>'],
  ['aerie.v1.nodes.placed', 'aerie.v1.nodes.>'],
  ['_INBOX.abc.*', '_INBOX.abc.*'],
])('the right to %s is given by %s', (subject, family) => expect(familyOf(subject)).toBe(family))
