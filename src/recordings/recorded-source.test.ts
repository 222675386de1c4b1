import { expect, test } from 'vitest'
import { type RecordingMode } from '../core/recording-mode.ts'
import { chooseRecordedSource, type RecordedSource } from './recorded-source.ts'

const source = (accountId: string, recordingMode: RecordingMode): RecordedSource => ({
  id: `${accountId} ${recordingMode}`,
  accountId,
  alias: 'cam',
  recordingMode,
})

test.each([
  { name: 'nobody’s', sources: [], chosen: undefined },
  { name: 'one that is not recorded', sources: [source('ann', 'off')], chosen: undefined },
  { name: 'one by event', sources: [source('ann', 'off'), source('ann', 'events')], chosen: ['ann events', 'events'] },
  {
    name: 'several of one account, of which one is kept always',
    sources: [source('ann', 'events'), source('ann', 'always')],
    chosen: ['ann events', 'always'],
  },
  {
    name: 'several accounts’, of which the first counts',
    sources: [source('ann', 'events'), source('bob', 'always')],
    chosen: ['ann events', 'events'],
  },
])('a path is recorded as its sources say: $name', ({ sources, chosen }) => {
  const found = chooseRecordedSource(sources)
  expect(found && [found.id, found.recordingMode]).toEqual(chosen)
})
