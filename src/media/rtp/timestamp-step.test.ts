import { expect, test } from 'vitest'
import { timestampStep } from './timestamp-step.ts'

test.each([
  { name: 'forwards', from: 10, to: 13, step: 3 },
  { name: 'backwards', from: 13, to: 10, step: -3 },
  { name: 'forwards across the wrap', from: 2 ** 32 - 1, to: 2, step: 3 },
  { name: 'backwards across the wrap', from: 2, to: 2 ** 32 - 1, step: -3 },
])('a step $name', ({ from, to, step }) => expect(timestampStep(from, to)).toBe(step))
