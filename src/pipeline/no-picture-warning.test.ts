import { expect, test } from 'vitest'
import { type FromWorker } from './messages.ts'
import { createNoPictureWarning } from './no-picture-warning.ts'

test('each reason is sent once, until there is another', () => {
  const sent: FromWorker[] = []
  const warn = createNoPictureWarning('feed', (message) => void sent.push(message))
  for (const why of [null, 'No memory.', 'No memory.', null, 'No memory.', 'No codec.', 'No memory.']) warn(why)
  expect(sent.map((message) => message.type === 'warning' && message.sentence)).toEqual([
    'The feed has no picture: No memory.',
    'The feed has no picture: No codec.',
    'The feed has no picture: No memory.',
  ])
})
