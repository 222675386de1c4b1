import { expect, test, vi } from 'vitest'
import { MediaRefusal } from '../../refusal.ts'
import { startPlayer } from './player.ts'

test('a player that finds no place gives back what it has taken', () => {
  const refusal = new MediaRefusal('too-many-readers', 'There are too many.')
  const close = vi.fn()
  const onClosed = vi.fn()
  const leave = vi.fn()
  const start = () => {
    throw refusal
  }
  const player = () =>
    startPlayer({
      subscription: { start, close } as never,
      muxer: { metadata: {} } as never,
      socket: { write: () => {}, queuedBytes: 0 },
      streamId: 1,
      maxQueuedBytes: 1,
      joinWaiting: () => ({ note: () => {}, leave }),
      onClosed,
      onStopped: () => {},
      onTooSlow: () => {},
    })
  expect(player).toThrow(refusal)
  expect([close, onClosed, leave].map((one) => one.mock.calls.length)).toEqual([1, 1, 1])
})
