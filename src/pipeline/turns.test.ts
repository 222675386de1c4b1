import { expect, test } from 'vitest'
import { aPicture, createHandFed, type FakePicture, turn } from '../../test/builders/picture.ts'
import { newest } from './hand-over.ts'
import { type TurnRequest } from './messages.ts'
import { createPauseSwitch } from './pause.ts'
import { createGrantedTurns, inTurn, takeTurn } from './turns.ts'

function setUp({ isPaused = false } = {}) {
  const sent: TurnRequest['type'][] = []
  const turns = createGrantedTurns(({ type }) => sent.push(type))
  const pause = createPauseSwitch(isPaused)
  const stopping = new AbortController()
  const source = createHandFed<FakePicture>()
  return { sent, turns, pause, stopping, source }
}

test('live: the picture is the one that is the newest when the turn comes', async () => {
  const { sent, turns, pause, stopping, source } = setUp()
  const pictures = newest(
    source,
    () => {},
    () => takeTurn(turns, pause, stopping.signal),
  )
  const next = pictures[Symbol.asyncIterator]().next()
  const early = aPicture({ timeMs: 1 })
  source.put(early)
  await turn()
  expect(sent).toEqual(['turn-wanted'])
  source.put(aPicture({ timeMs: 2 }))
  await turn()
  turns.onTurn()
  expect(await next).toMatchObject({ value: { timeMs: 2 } })
  expect(early.isReleased()).toBe(true)
})

test('live: nothing is wanted during a pause, and a turn that comes in one is given back', async () => {
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

test('files: every picture waits for its turn', async () => {
  const { turns, stopping, source } = setUp()
  const seen: number[] = []
  void (async () => {
    for await (const { timeMs } of inTurn(turns, stopping.signal)(source)) seen.push(timeMs)
  })()
  for (const timeMs of [1, 2, 3]) source.put(aPicture({ timeMs }))
  await turn()
  expect(seen).toEqual([])
  turns.onTurn()
  await turn()
  expect(seen).toEqual([1])
  turns.onTurn()
  await turn()
  expect(seen).toEqual([1, 2])
})

test('a stop waits for no turn', async () => {
  const { sent, turns, stopping } = setUp()
  const taking = turns.take(stopping.signal)
  stopping.abort()
  await taking
  await turns.take(stopping.signal)
  expect(sent).toEqual(['turn-wanted'])
})
