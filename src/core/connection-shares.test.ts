import { expect, test } from 'vitest'
import { createConnectionShares } from './connection-shares.ts'

/** `mallory:2` has shown her key on two connections, `1.2.3.4:3` is a stranger with three. */
function held(...holders: string[]) {
  const shares = createConnectionShares<string>()
  for (const holder of holders) {
    const [name = '', count] = holder.split(':')
    for (let i = 1; i <= Number(count); i++) {
      shares.add(`${name} ${i}`, name)
      if (!name.includes('.')) shares.give(`${name} ${i}`, name)
    }
  }
  return shares
}

test.each([
  { rule: 'nobody', holders: [], expected: undefined },
  {
    rule: 'the oldest of the account that holds most',
    holders: ['bob:1', 'mallory:3', '1.1.1.1:1'],
    expected: 'mallory 1',
  },
  { rule: 'a stranger where they are more', holders: ['bob:3', '1.1.1.1:1', '2.2.2.2:3'], expected: '2.2.2.2 1' },
  {
    rule: 'a stranger though each has one only',
    holders: ['bob:3', '1.1.1.1:1', '2.2.2.2:1', '3.3.3.3:1', '4.4.4.4:1'],
    expected: '1.1.1.1 1',
  },
  { rule: 'a stranger rather than as many known ones', holders: ['bob:1', '1.1.1.1:1'], expected: '1.1.1.1 1' },
])('where there is no room $rule goes', ({ holders, expected }) => {
  expect(held(...holders).oldestOfLargest()).toBe(expected)
})

test('only one that may go does, of whoever holds most of all that have one', () => {
  const shares = held('bob:2', 'mallory:4', 'trudy:3', '1.1.1.1:1')
  const oldestBut = (...busy: string[]) => shares.oldestOfLargest((one) => !busy.some((name) => one.startsWith(name)))
  expect(oldestBut('mallory 1')).toBe('mallory 2')
  expect(oldestBut('mallory')).toBe('trudy 1')
  expect(oldestBut('mallory', 'trudy', 'bob')).toBe('1.1.1.1 1')
  expect(oldestBut('')).toBeUndefined()
})

test('a connection belongs to who was known by it last, until it is closed', () => {
  const shares = held('bob:2', 'mallory:3')
  for (const one of [1, 2]) shares.give(`mallory ${one}`, 'bob')
  expect(shares.oldestOfLargest()).toBe('bob 1')
  for (const one of [1, 2]) shares.delete(`bob ${one}`)
  shares.delete('bob 1')
  shares.give('bob 1', 'bob')
  expect(shares.size).toBe(3)
  expect(shares.oldestOfLargest()).toBe('mallory 1')
})
