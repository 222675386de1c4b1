import { expect, onTestFinished, test, vi } from 'vitest'
import { createWaitingBytes } from './waiting-bytes.ts'

function setUp() {
  let nowMs = 0
  const limits = { maxSlowBytes: 100, maxBytes: 300, slowAfterMs: 2_000, lookEveryMs: 100 }
  const waiting = createWaitingBytes(limits, () => nowMs)
  const ended: string[] = []
  const join = (name: string, account = 'ann') => {
    const member = waiting.join(account, () => ended.push(name))
    return {
      note(bytes: number, atMs: number) {
        nowMs = atMs
        member.note(bytes)
      },
      leave: (waitingBytes = () => 0) => member.leave(waitingBytes),
    }
  }
  return { join, ended }
}

test('what begins may be more for a moment; of those who stay behind the slowest goes', () => {
  const { join, ended } = setUp()
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(name))
  a!.note(60, 0)
  b!.note(60, 500)
  c!.note(60, 900)
  expect(ended).toEqual([])
  a!.note(60, 1_999)
  c!.note(60, 2_450)
  expect(ended).toEqual([])
  // Not at every note.
  c!.note(60, 2_549)
  expect(ended).toEqual([])
  c!.note(60, 2_550)
  expect(ended).toEqual(['a'])
})

test('who has taken everything meanwhile is not slow', () => {
  const { join, ended } = setUp()
  const [a, b] = ['a', 'b'].map((name) => join(name))
  a!.note(90, 0)
  b!.note(90, 0)
  a!.note(0, 1_500)
  a!.note(90, 1_600)
  b!.note(90, 2_500)
  expect(ended).toEqual([])
})

test('hundreds at once are bounded right away: who has most waiting goes', () => {
  const { join, ended } = setUp()
  for (let i = 0; i < 300; i++) join(`r${i}`).note(i === 7 ? 40 : 20, 0)
  expect(ended[0]).toBe('r7')
  expect(300 - ended.length).toBe(15)
})

test('one account’s readers do not count for another’s, nor those who have left', () => {
  const { join, ended } = setUp()
  const left = join('left')
  left.note(290, 0)
  left.leave()
  join('a').note(290, 0)
  join('b', 'bob').note(290, 0)
  expect(ended).toEqual([])
})

test('what somebody left behind in its connection counts until it has been taken, and can end the connection', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { join, ended } = setUp()
  const [paused, other] = ['paused', 'other'].map((name) => join(name))
  let leftBytes = 80
  paused!.note(80, 0)
  paused!.leave(() => leftBytes)
  other!.note(60, 1_000)
  vi.advanceTimersByTime(500)
  expect(ended).toEqual([])
  other!.note(60, 3_000)
  expect(ended).toEqual(['paused'])

  const taken = join('taken')
  taken.note(80, 3_000)
  taken.leave(() => leftBytes)
  leftBytes = 0
  vi.advanceTimersByTime(500)
  leftBytes = 80
  vi.advanceTimersByTime(500)
  other!.note(60, 6_000)
  expect(ended).toEqual(['paused'])
})
