import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Publication } from '../../publication.ts'
import { createTimeSlice } from '../../time-slice.ts'
import { createPublicationInTurns } from './publication-in-turns.ts'

function createRig(maxSteps: number) {
  const handedOn: (number | string)[] = []
  const publication: Publication = {
    path: 'admin/cam',
    isInternal: false,
    start: () => void handedOn.push('start'),
    write: (track, data) => void handedOn.push(track * 100 + data[0]!),
    report: ({ track }) => void handedOn.push(`report ${track}`),
    confirm: async () => undefined,
    onEnd: () => undefined,
    close: () => undefined,
  }
  const slice = createTimeSlice({ maxSteps, maxMs: 60_000 })
  const inTurns = createPublicationInTurns(publication, slice, () => void handedOn.push('round'))
  return { handedOn, inTurns }
}

test('what fits into a time slice is handed on at once, in order', () => {
  const { handedOn, inTurns } = createRig(4)
  inTurns.start({ tracks: [] })
  inTurns.report({ track: 1, timestamp: 0, wallClockMs: 0 })
  inTurns.write(0, Buffer.of(7))
  inTurns.write(1, Buffer.of(8))
  expect(inTurns.flush()).toBeUndefined()
  expect(handedOn).toEqual(['start', 'report 1', 7, 108])
})

test('the rest goes in the rounds that follow, so much in each, and nothing is lost', async () => {
  const { handedOn, inTurns } = createRig(4)
  for (let i = 0; i < 10; i++) inTurns.write(0, Buffer.of(i))
  let isDone = false
  const flushed = Promise.resolve(inTurns.flush()).then(() => (isDone = true))
  expect(handedOn).toEqual([0, 1, 2, 3])
  while (!isDone) await nextRound()
  await flushed
  expect(handedOn).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 'round', 8, 9])
})
