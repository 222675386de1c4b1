import { describe, expect, test } from 'vitest'
import { createClientLimits } from './client-limits.ts'

const createRig = () => {
  let nowMs = 0
  const limits = createClientLimits({ steady: () => nowMs })
  return { limits, pass: (ms: number) => void (nowMs += ms) }
}
const times = (count: number, act: () => void) => Array.from({ length: count }, act)

describe('before it is accepted', () => {
  test('256 messages may be sent', () => {
    const { limits } = createRig()
    times(256, () => limits.countMessage())
    expect(() => limits.countMessage()).toThrow('nothing published or played')
  })

  test('256 kB may be sent', () => {
    const { limits } = createRig()
    limits.countBytes(200 * 1024)
    limits.countBytes(56 * 1024)
    expect(() => limits.countBytes(1)).toThrow('nothing published or played')
  })

  test('64 kB of answers may wait', () => {
    const { limits } = createRig()
    limits.checkQueuedAnswers(64 * 1024)
    expect(() => limits.checkQueuedAnswers(64 * 1024 + 1)).toThrow('takes no answers')
  })
})

test('afterwards only answers are bounded, at a megabyte', () => {
  const { limits } = createRig()
  limits.accept()
  times(1000, () => limits.countMessage())
  limits.countBytes(1e9)
  limits.checkQueuedAnswers(1024 * 1024)
  expect(() => limits.checkQueuedAnswers(1024 * 1024 + 1)).toThrow('takes no answers')
})

test('requests are bounded at all times, a hundred each second', () => {
  const { limits, pass } = createRig()
  limits.accept()
  times(100, () => limits.countRequest())
  expect(() => limits.countRequest()).toThrow('more than 100 things in a second')
  pass(20)
  times(2, () => limits.countRequest())
  expect(() => limits.countRequest()).toThrow('more than 100 things in a second')
})
