import { expect, test } from 'vitest'
import { isOfOthers, may } from './rights.ts'

const source_uuid = 's'

test.each([
  ['one’s own', { source_uuid, rights: null }, false, [true, true, true]],
  ['of an older service', { source_uuid }, false, [true, true, true]],
  ['one that is removed', undefined, false, [true, true, true]],
  ['given to be watched', { source_uuid, rights: ['watch'] }, true, [true, false, false]],
  ['given for its events and its processes', { source_uuid, rights: ['events', 'control'] }, true, [false, true, true]],
] as const)('%s', (_name, source, isGiven, allowed) => {
  expect(isOfOthers(source)).toBe(isGiven)
  expect((['watch', 'events', 'control'] as const).map((right) => may(source, right))).toEqual(allowed)
})
