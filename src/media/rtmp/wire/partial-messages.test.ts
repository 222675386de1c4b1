import { expect, test } from 'vitest'
import { createPartialMessages } from './partial-messages.ts'

const bytes = (length: number, fill: number) => Buffer.alloc(length, fill)

test('a message is put together from what is appended, however large it gets', () => {
  const partials = createPartialMessages(100_000)
  const message = partials.begin(20_000)
  const pieces = [bytes(3_000, 1), bytes(9_000, 2), bytes(8_000, 3)]
  for (const piece of pieces) partials.append(message, piece)
  expect(message.receivedBytes).toBe(20_000)
  expect(partials.release(message).equals(Buffer.concat(pieces))).toBe(true)
})

test('what was announced and has not arrived takes next to no room', () => {
  const partials = createPartialMessages(10_000)
  partials.begin(8_000_000)
  partials.begin(8_000_000)
  expect(() => partials.begin(8_000_000)).toThrow('begun and not ended')
})

test('growing stays within the bound, as long as what has arrived does', () => {
  const partials = createPartialMessages(10_000)
  const message = partials.begin(1_000_000)
  partials.append(message, bytes(6_000, 1))
  partials.append(message, bytes(4_000, 2))
  expect(() => partials.append(message, bytes(1, 3))).toThrow('begun and not ended')
})

test('the room of a released message is free again, complete or not', () => {
  const partials = createPartialMessages(5_000)
  for (let round = 0; round < 10; round++) {
    const message = partials.begin(5_000)
    partials.append(message, bytes(4_500, round))
    expect(partials.release(message).equals(bytes(4_500, round))).toBe(true)
  }
})

test('a larger bound counts at once', () => {
  const partials = createPartialMessages(1_000)
  const message = partials.begin(1_000)
  expect(() => createPartialMessages(1_000).begin(4_000)).toThrow('begun and not ended')
  partials.setMaxBytes(5_000)
  expect(partials.begin(4_000).length).toBe(4_000)
  expect(message.receivedBytes).toBe(0)
})
