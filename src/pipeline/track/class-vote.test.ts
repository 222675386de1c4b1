import { expect, test } from 'vitest'
import { createClassVote } from './class-vote.ts'

const car = [2, 'car'] as const
const truck = [7, 'truck'] as const

test('the first detection names the object', () => {
  const vote = createClassVote()
  vote.add(...car, 0.4)
  expect(vote).toMatchObject({ classId: 2, className: 'car' })
})

test('a few doubtful detections do not change the name', () => {
  const vote = createClassVote()
  for (let i = 0; i < 5; i++) vote.add(...car, 0.8)
  for (let i = 0; i < 5; i++) vote.add(...truck, 0.5)
  expect(vote.className).toBe('car')
})

test('a near tie keeps the name, whoever is ahead by a little', () => {
  const vote = createClassVote()
  vote.add(...car, 0.5)
  const names = new Set<string>()
  for (let i = 0; i < 50; i++) {
    vote.add(...truck, 0.55)
    vote.add(...car, 0.5)
    names.add(vote.className)
  }
  expect([...names]).toEqual(['car'])
})

test('a clear majority changes it', () => {
  const vote = createClassVote()
  vote.add(...car, 0.6)
  vote.add(...truck, 0.9)
  expect(vote.className).toBe('truck')
  expect(vote.shareOf(7)).toBeCloseTo(0.6)
  expect(vote.shareOf(99)).toBe(0)
})

test('votes can be taken over', () => {
  const [before, after] = [createClassVote(), createClassVote()]
  for (let i = 0; i < 3; i++) before.add(...truck, 0.6)
  after.add(...car, 0.9)
  after.takeOver(before)
  expect(after.className).toBe('truck')
  expect(after.shareOf(2)).toBeCloseTo(1 / 3)
})
