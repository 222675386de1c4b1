import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createPlayPace } from './play-pace.ts'

test('ten times at once, then each waits for a second; who did not play for a while has some at once again', async () => {
  const clock = createFakeClock()
  const pace = createPlayPace(clock)
  let played = 0
  const play = () => void pace.take().then(() => played++)
  for (let i = 0; i < 11; i++) play()
  await clock.advance(999)
  expect(played).toBe(10)
  await clock.advance(1)
  expect(played).toBe(11)
  await clock.advance(1_000)
  for (let i = 0; i < 3; i++) play()
  await clock.advance(0)
  expect(played).toBe(13)
})
