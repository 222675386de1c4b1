import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createRecordingOpener } from './recording-opener.ts'
import { type Recording } from './recordings.store.ts'

const source = { id: 's', accountId: 'a', alias: 'cam', recordingMode: 'always' } as const
const last: Recording = { id: 'r1', accountId: 'a', sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 90_000 }

function createRig(mergeSeconds: number, found: Recording | undefined) {
  const calls: string[] = []
  const open = createRecordingOpener({
    store: {
      findLast: async () => found,
      end: async (id, endedAt) => void calls.push(`${id} ends at ${endedAt}`),
      insert: async ({ startedAt }) => void calls.push(`inserted at ${startedAt}`),
    },
    mergeSeconds,
    clock: createFakeClock(100_000),
  })
  return { open, calls }
}

test('a short break goes on with the same recording', async () => {
  const { open, calls } = createRig(10, last)
  expect(await open(source)).toEqual({ ...last, endedAt: null })
  expect(calls).toEqual(['r1 ends at null'])
})

test.each([
  ['a longer break', 9, last],
  ['breaks that are not merged', 0, last],
  ['a recording that has not ended', 10, { ...last, endedAt: null }],
  ['the first recording', 10, undefined],
])('%s begins another', async (_name, mergeSeconds, found) => {
  const { open, calls } = createRig(mergeSeconds, found)
  expect(await open(source)).toMatchObject({ sourceId: 's', accountId: 'a', alias: 'cam', endedAt: null })
  expect(calls).toEqual(['inserted at 100000'])
})
