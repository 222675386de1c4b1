import { expect, test } from 'vitest'
import { createSessionActivity, type SessionActivity } from './session-activity.ts'

const timeouts = { startMs: 30, sessionMs: 60 }

function setUp() {
  const clock = { nowMs: 0 }
  const streaming: boolean[] = []
  const activity = createSessionActivity({
    timeouts,
    now: () => clock.nowMs,
    onStreaming: (isStreaming) => void streaming.push(isStreaming),
  })
  return { activity, clock, streaming }
}

test('a session is silent when no request has been received for a while', () => {
  const { activity, clock } = setUp()
  expect([60, 61].map((nowMs) => activity.isSilent(nowMs))).toEqual([false, true])
  clock.nowMs = 10
  activity.request()
  expect([70, 71].map((nowMs) => activity.isSilent(nowMs))).toEqual([false, true])
})

type Step = Exclude<keyof SessionActivity, 'isStartOverdue' | 'isSilent'>

test.each<{ name: string; steps: Step[]; overdueAfterMs: number | undefined }>([
  { name: 'nothing was accepted', steps: ['request'], overdueAfterMs: undefined },
  {
    name: 'accepted, whatever is accepted or requested later',
    steps: ['accept', 'request', 'accept'],
    overdueAfterMs: 31,
  },
  { name: 'streaming', steps: ['accept', 'startStreaming'], overdueAfterMs: undefined },
  { name: 'paused', steps: ['accept', 'startStreaming', 'pauseStreaming'], overdueAfterMs: undefined },
  {
    name: 'accepted again while paused',
    steps: ['startStreaming', 'pauseStreaming', 'accept'],
    overdueAfterMs: undefined,
  },
  { name: 'ended', steps: ['accept', 'startStreaming', 'endStreaming'], overdueAfterMs: 33 },
  { name: 'ended without ever streaming', steps: ['accept', 'endStreaming'], overdueAfterMs: 31 },
])('$name: a start is overdue after $overdueAfterMs ms', ({ steps, overdueAfterMs }) => {
  const { activity, clock } = setUp()
  for (const step of steps) {
    activity[step]()
    clock.nowMs++
  }
  const overdue = Array.from({ length: 100 }, (_, nowMs) => nowMs).find((nowMs) => activity.isStartOverdue(nowMs))
  expect(overdue).toBe(overdueAfterMs)
})

test('the connection is notified of every start, pause and end', () => {
  const { activity, streaming } = setUp()
  activity.startStreaming()
  activity.pauseStreaming()
  activity.startStreaming()
  activity.endStreaming()
  expect(streaming).toEqual([true, false, true, false])
})
