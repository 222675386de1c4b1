import { expect, test } from 'vitest'
import { createHeldGroups } from './held-groups.ts'

function setUp() {
  const groups = createHeldGroups(100)
  const dropped: string[] = []
  const join = (owner: string, name: string) => groups.join(owner, () => void dropped.push(name))
  return { join, dropped }
}

test('within the limit nothing is dropped', () => {
  const { join, dropped } = setUp()
  const [one, other] = [join('mallory', 'one'), join('bob', 'other')]
  one.note(60)
  other.note(40)
  one.note(50)
  other.note(50)
  expect(dropped).toEqual([])
})

test('beyond it the largest goes of who holds most, whoever asks for more', () => {
  const { join, dropped } = setUp()
  const bobs = join('bob', 'bob’s')
  const [small, large] = [join('mallory', 'small'), join('mallory', 'large')]
  small.note(30)
  large.note(35)
  bobs.note(35)
  expect(dropped).toEqual([])
  bobs.note(36)
  expect(dropped).toEqual(['large'])
  large.note(33)
  bobs.note(37)
  expect(dropped).toEqual(['large'])
})

test('what has left holds nothing', () => {
  const { join, dropped } = setUp()
  const [first, second] = [join('mallory', 'first'), join('mallory', 'second')]
  first.note(80)
  first.leave()
  second.note(80)
  expect(dropped).toEqual([])
})
