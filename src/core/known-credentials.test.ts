import { expect, test } from 'vitest'
import { createKnownCredentials } from './known-credentials.ts'

test('of one owner, and of all, those that were shown last are kept', () => {
  const known = createKnownCredentials({ ofOwner: 2, ofAll: 3 })
  const kept = () => ['a', 'b', 'c', 'x', 'y'].filter((credential) => known.ownerOf(credential) !== undefined)
  for (const credential of ['a', 'b', 'a', 'c']) known.add(credential, 'mallory')
  expect(kept()).toEqual(['a', 'c'])
  known.add('x', 'bob')
  expect(kept()).toEqual(['a', 'c', 'x'])
  known.add('y', 'bob')
  expect(kept()).toEqual(['c', 'x', 'y'])
  expect(known.ownerOf('y')).toBe('bob')
  expect(known.ownerOf(undefined)).toBeUndefined()
})

test('what is longer than any credential of ours is not remembered', () => {
  const known = createKnownCredentials()
  known.add('x'.repeat(201), 'mallory')
  expect(known.ownerOf('x'.repeat(201))).toBeUndefined()
})

test('one that has another owner now is no longer the first one’s', () => {
  const known = createKnownCredentials({ ofOwner: 1, ofAll: 9 })
  known.add('a', 'mallory')
  known.add('a', 'bob')
  known.add('b', 'mallory')
  expect([known.ownerOf('a'), known.ownerOf('b')]).toEqual(['bob', 'mallory'])
})
