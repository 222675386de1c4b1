import { describe, expect, test } from 'vitest'
import { decideTurn, isSumDue, type TurnState } from './decide-turn.ts'
import { setApart, withoutLeaving } from './held.ts'

const fresh: TurnState = {
  quietHours: null,
  maxPerMinute: 2,
  minuteAt: null,
  minuteSent: 0,
  lastTurnId: null,
  held: null,
}
const AT = Date.parse('2026-11-20T12:00:00Z')
const quietHours = { from: '12:00', to: '12:30', timeZone: 'UTC' }

/** What becomes of messages, one after the other, and how it stands then. */
function run(state: TurnState, asked: readonly (readonly [id: string, atMs: number, label?: string])[]) {
  const outcomes: string[] = []
  for (const [messageId, atMs, label = 'fence'] of asked) {
    const { outcome, change } = decideTurn(state, { messageId, label, nowMs: AT + atMs })
    outcomes.push(outcome)
    state = { ...state, ...change }
  }
  return { outcomes: outcomes.join(' '), state }
}

test.each<[name: string, asked: readonly (readonly [string, number])[], outcomes: string]>([
  ['as many as are allowed', [['a', 0], ['b', 1], ['c', 2]], 'send send held'],
  ['the minute begins with the first', [['a', 0], ['b', 59_000], ['c', 59_999], ['d', 60_000]], 'send send held send'],
  ['the same again has its turn again', [['a', 0], ['b', 1], ['b', 2], ['c', 3]], 'send send send held'],
  ['also after its minute', [['a', 0], ['a', 70_000]], 'send send'],
  ['held again is held', [['a', 0], ['b', 1], ['c', 2], ['c', 70_000]], 'send send held held'],
  ['who asked a little earlier is of the same minute', [['a', 0], ['b', -10], ['c', -59_999]], 'send send held'],
  ['a clock that is set back begins a minute', [['a', 0], ['b', 1], ['c', -3_600_000]], 'send send send'],
])('turns: %s', (_name, asked, outcomes) => expect(run(fresh, asked).outcomes).toBe(outcomes)) // prettier-ignore

test('in quiet hours nothing is sent, and all is counted by its label, each once', () => {
  const asked = [['a', 0], ['b', 1, 'crowd (yard)'], ['b', 2, 'crowd (yard)'], ['c', 3]] as const // prettier-ignore
  const { outcomes, state } = run({ ...fresh, quietHours }, asked)
  expect(outcomes).toBe('held held held held')
  expect(state.held?.sum).toEqual({ count: 3, fromMs: AT, labels: { fence: 2, 'crowd (yard)': 1 }, others: 0 })
})

test.each(['constructor', '__proto__', 'toString'])('an alert may be called %s', (name) => {
  const asked = [['a', 0, name], ['b', 1, name]] as const // prettier-ignore
  const { held } = run({ ...fresh, quietHours }, asked).state
  expect(JSON.parse(JSON.stringify(held!.sum.labels))).toEqual(JSON.parse(`{"${name}":2}`))
})

test('more labels than are listed are counted together', () => {
  const asked = Array.from({ length: 25 }, (_, n) => [`id ${n}`, n, `alert ${n}`] as const)
  const { sum } = run({ ...fresh, quietHours }, asked).state.held!
  expect(Object.keys(sum.labels)).toHaveLength(20)
  expect(sum).toMatchObject({ count: 25, others: 5 })
})

describe('sums', () => {
  const { state: full } = run(fresh, [['a', 0], ['b', 1], ['c', 2], ['d', 3]]) // prettier-ignore
  const { state: quiet } = run({ ...fresh, quietHours }, [['a', 0]])

  test.each<[name: string, state: TurnState, atMs: number, isDue: boolean]>([
    ['where nothing is held', fresh, 0, false],
    ['within the minute', full, 59_999, false],
    ['once it is over', full, 60_000, true],
    ['within quiet hours', quiet, 29 * 60_000, false],
    ['once they are over', quiet, 30 * 60_000, true],
  ])('%s', (_name, state, atMs, isDue) => expect(isSumDue(state, AT + atMs)).toBe(isDue))

  test('what is held after a sum was set apart is of the next one, and what asks again is in neither', () => {
    const apart = setApart(full.held!, 'sum:1')
    expect(apart.leaving).toMatchObject({ id: 'sum:1', count: 2, fromMs: AT + 2 })
    expect(setApart(apart, 'sum:2')).toEqual(apart)
    const { outcomes, state } = run({ ...full, held: apart }, [['d', 4], ['e', 5]]) // prettier-ignore
    expect(outcomes).toBe('held held')
    expect(state.held).toMatchObject({ leaving: { id: 'sum:1', count: 2 }, sum: { count: 1, fromMs: AT + 5 } })
    expect(withoutLeaving(state.held!)).toMatchObject({ sum: { count: 1 } })
    expect(withoutLeaving(apart)).toBeNull()
  })
})
