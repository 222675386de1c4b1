import { expect, test } from 'vitest'
import { createPartCounter, MAX_PARTS, TooManyPartsError } from './part-limit.ts'

const count = (counter: () => void, times: number) => {
  for (let time = 0; time < times; time++) counter()
}

test('as many parts as are allowed pass, one more does not', () => {
  const counter = createPartCounter()
  expect(() => count(counter, MAX_PARTS)).not.toThrow()
  expect(counter).toThrow(TooManyPartsError)
  expect(counter).toThrow(`more than ${MAX_PARTS} parts`)
})

test('each thing that is split has its own count', () => {
  count(createPartCounter(), MAX_PARTS)
  expect(createPartCounter()).not.toThrow()
})
