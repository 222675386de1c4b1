import { expect, test } from 'vitest'
import { createQuestionLimit } from './question-limit.ts'

test('a hundred questions in a second are fine, one more is not', () => {
  let nowMs = 0
  const limit = createQuestionLimit(() => nowMs)
  for (let second = 0; second < 3; second++) {
    for (let question = 0; question < 100; question++) limit.count()
    nowMs += 1000
  }
  for (let question = 0; question < 100; question++) limit.count()
  expect(() => limit.count()).toThrow('more than 100 things in a second')
})
