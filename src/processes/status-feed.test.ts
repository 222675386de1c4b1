import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aHealth, aProcess } from '../../test/builders/process.ts'
import { createDetectionChannel } from './detection-channel.ts'
import { createStatusFeed } from './status-feed.ts'

test('who comes learns at once how it goes; what stops without a word is noticed within a second', async () => {
  const clock = createFakeClock()
  const process = aProcess({ state: 'running' })
  const unheard = aProcess({ state: 'running' })
  const looked: string[] = []
  let health = aHealth({ lastFrameAtMs: 0, lastFrameAgeMs: 5 })
  const channel = createDetectionChannel()
  const feed = createStatusFeed({
    channel,
    listProcesses: () => [process, unheard],
    healthOf({ id }) {
      looked.push(id)
      return health
    },
    clock,
  })
  feed.start()
  const problems: (string | null)[] = []
  channel.listen(process.id, {
    take: () => {},
    status: ({ problem }) => void problems.push(problem),
    end: () => {},
    moved: () => {},
  })
  expect(problems).toEqual([null])
  health = { ...health, problem: { cause: 'silent', sentence: 'Silent for 6 s.' } }
  await clock.advance(1_000)
  health = { ...health, problem: { cause: 'silent', sentence: 'Silent for 7 s.' } }
  await clock.advance(1_000)
  feed.close()
  expect(problems).toEqual([null, 'Silent for 6 s.'])
  expect(looked).not.toContain(unheard.id)
})
