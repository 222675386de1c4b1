import { expect, test } from 'vitest'
import { createFairStarts } from './fair-starts.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function setUp(maxUnderWay: number) {
  const starts = createFairStarts(maxUnderWay)
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    endFirst: () => ends.shift()!(),
    /** Some pieces, which last until they are ended. */
    ask: (owner: string, count: number) => {
      for (let i = 1; i <= count; i++)
        starts.begin(owner, (end) => {
          begun.push(`${owner}${i}`)
          ends.push(end)
        })
    },
    /** Some that are over at once. */
    askBriefly: (owner: string, count: number) => {
      for (let i = 1; i <= count; i++)
        starts.begin(owner, (end) => {
          begun.push(`${owner}${i}`)
          end()
        })
    },
  }
}

test('who asks for one thing begins at once, who asks for many one in a turn', async () => {
  const { begun, askBriefly } = setUp(10)
  askBriefly('m', 4)
  askBriefly('b', 2)
  expect(begun).toEqual(['m1', 'b1'])
  await nextTurn()
  expect(begun).toEqual(['m1', 'b1', 'm2', 'b2'])
  askBriefly('c', 1)
  expect(begun.at(-1)).toBe('c1')
  for (let turns = 0; turns < 4; turns++) await nextTurn()
  expect(begun).toEqual(['m1', 'b1', 'm2', 'b2', 'c1', 'm3', 'm4'])
})

test('so many are under way for one owner, and the next begins when one is over', async () => {
  const { begun, ask, endFirst } = setUp(2)
  ask('m', 4)
  ask('b', 1)
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  expect(begun).toEqual(['m1', 'b1', 'm2'])
  endFirst()
  await nextTurn()
  expect(begun.at(-1)).toBe('m3')
})

test('a hundred thousand that wait are worked off without a search', async () => {
  const { begun, askBriefly } = setUp(2)
  askBriefly('m', 100_000)
  for (let turns = 0; turns < 100_001; turns++) await nextTurn()
  expect(begun).toHaveLength(100_000)
})
