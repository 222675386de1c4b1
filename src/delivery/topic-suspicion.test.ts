import { expect, test } from 'vitest'
import { type NotDelivered } from './message.ts'
import { createTopicSuspicion } from './topic-suspicion.ts'

const error = new Error('There is no connection to the broker b.')

test('a topic that was under way at hang-ups again and again waits longer each time, up to ten minutes', () => {
  const suspicion = createTopicSuspicion()
  const waits = Array.from(
    { length: 10 },
    () => (suspicion.onHangUp('poison', error) as NotDelivered).retryAfterMs ?? null,
  )
  expect(waits).toEqual([null, null, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000])
})

test('one that is taken in between is held to be innocent', () => {
  const suspicion = createTopicSuspicion()
  for (let index = 0; index < 10; index++) {
    expect(suspicion.onHangUp('yard', error)).toBe(error)
    expect(suspicion.onHangUp('yard', error)).toBe(error)
    suspicion.onTaken('yard')
  }
})
