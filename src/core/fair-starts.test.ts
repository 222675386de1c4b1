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
    /** Some that are bounded otherwise. */
    pass: (owner: string, count: number) => {
      for (let i = 1; i <= count; i++) starts.pass(owner, () => begun.push(`${owner}+${i}`))
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

test('who begins the last thing that waited in a turn begins no other in it', async () => {
  const { begun, pass } = setUp(10)
  pass('m', 2)
  await nextTurn()
  expect(begun).toEqual(['m+1', 'm+2'])
  pass('m', 1)
  expect(begun).toHaveLength(2)
  await nextTurn()
  expect(begun).toEqual(['m+1', 'm+2', 'm+1'])
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

test('what is bounded otherwise does not wait for what is under way, only for its turn', async () => {
  const { begun, ask, pass, endFirst } = setUp(2)
  ask('m', 3)
  for (let turns = 0; turns < 3; turns++) await nextTurn()
  pass('m', 2)
  pass('b', 1)
  expect(begun).toEqual(['m1', 'm2', 'm+1', 'b+1'])
  for (let turns = 0; turns < 3; turns++) await nextTurn()
  expect(begun).toEqual(['m1', 'm2', 'm+1', 'b+1', 'm+2'])
  endFirst()
  await nextTurn()
  expect(begun.at(-1)).toBe('m3')
})

test('ten thousand that wait are all worked off', async () => {
  const { begun, askBriefly } = setUp(2)
  askBriefly('m', 10_000)
  for (let turns = 0; turns < 10_001; turns++) await nextTurn()
  expect(begun).toHaveLength(10_000)
})
