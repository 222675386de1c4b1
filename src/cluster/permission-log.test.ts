import { expect, test } from 'vitest'
import { createPermissionLog } from './permission-log.ts'

function aLog() {
  let nowMs = 0
  const lines: (readonly [object, string])[] = []
  const log = { error: (fields: object, text: string) => void lines.push([fields, text]) }
  const permissions = createPermissionLog(log as never, () => nowMs)
  return { permissions, lines, pass: (ms: number) => void (nowMs += ms) }
}

test('a right that is missed for each scene is one line in a minute, which says what to give', () => {
  const { permissions, lines, pass } = aLog()
  for (let i = 0; i < 100; i++)
    permissions.onViolation({ operation: 'publish', subject: `aerie.v1.scene.pilot.p${i % 3}` })
  expect(lines).toEqual([
    [
      { subject: 'aerie.v1.scene.pilot.p0' },
      'NATS does not let this node publish to aerie.v1.scene.>; give its user the right to (docs/nats.md)',
    ],
  ])
  pass(60_000)
  permissions.onViolation({ operation: 'publish', subject: 'aerie.v1.scene.pilot.p1' })
  expect(lines[1]![0]).toEqual({ subject: 'aerie.v1.scene.pilot.p1', suppressed: 99 })
})

test('every other right has lines of its own', () => {
  const { permissions, lines } = aLog()
  permissions.onViolation({ operation: 'publish', subject: 'aerie.v1.nodes.placed' })
  permissions.onViolation({ operation: 'subscription', subject: 'aerie.v1.nodes.placed' })
  permissions.onViolation({ operation: 'subscription', subject: '_INBOX.abc.*' })
  expect(lines.map(([, text]) => /this node (.*);/.exec(text)![1])).toEqual([
    'publish to aerie.v1.nodes.>',
    'subscribe to aerie.v1.nodes.>',
    'subscribe to _INBOX.abc.*',
  ])
})

test('subjects without end are no lines without end', () => {
  const { permissions, lines } = aLog()
  for (let i = 0; i < 1_000; i++) permissions.onViolation({ operation: 'publish', subject: `_INBOX.${i}` })
  expect(lines).toHaveLength(100)
})
