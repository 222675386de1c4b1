import { expect, test } from 'vitest'
import { turn } from '../../test/builders/picture.ts'
import { type TurnRequest } from './messages.ts'
import { createPauseSwitch } from './pause.ts'
import { createGrantedTurns, takeTurn } from './turns.ts'

function setUp({ isPaused = false } = {}) {
  const sent: TurnRequest['type'][] = []
  const turns = createGrantedTurns(({ type }) => sent.push(type))
  const pause = createPauseSwitch(isPaused)
  const stopping = new AbortController()
  return { sent, turns, pause, stopping }
}

test('nothing is wanted during a pause, and a turn that comes in one is given back', async () => {
  const { sent, turns, pause, stopping } = setUp({ isPaused: true })
  let isTaken = false
  void takeTurn(turns, pause, stopping.signal).then(() => (isTaken = true))
  await turn()
  expect(sent).toEqual([])
  pause.set(false)
  await turn()
  pause.set(true)
  turns.onTurn()
  await turn()
  expect([sent, isTaken]).toEqual([['turn-wanted', 'turn-over'], false])
  pause.set(false)
  await turn()
  turns.onTurn()
  await turn()
  expect([sent, isTaken]).toEqual([['turn-wanted', 'turn-over', 'turn-wanted'], true])
})

test('a stop waits for no turn', async () => {
  const { sent, turns, stopping } = setUp()
  const taking = turns.take(stopping.signal)
  stopping.abort()
  await taking
  await turns.take(stopping.signal)
  expect(sent).toEqual(['turn-wanted'])
})
