import { expect, test } from 'vitest'
import fc from 'fast-check'
import { aLookAt, type SeenIds } from '../../test/builders/recorded-looks.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type LookOfProcess } from './detection-reader.ts'
import { createMinuteCounts } from './minute-counts.ts'
import { type Grid } from './steps.ts'
import { countLooks, countMinutes, type MinutesOfFile } from './track-counts.ts'

const T0 = Date.UTC(2026, 10, 16, 3)
const MINUTE_MS = 60_000
const grid = (stepSeconds: number, minutes = 10): Grid => {
  const ms = minutes * MINUTE_MS
  return { from: T0, to: T0 + ms, stepMs: stepSeconds * 1000, steps: ms / (stepSeconds * 1000) }
}
const look = (minute: number, ids: SeenIds, seconds = 0) => aLookAt(T0 + minute * MINUTE_MS + seconds * 1000, ids)

/** As a file of a process says it. */
function fileOf(looks: readonly RecordedLook[], { processId = 'p', after = 0 } = {}): MinutesOfFile {
  const counts = createMinuteCounts(after)
  for (const one of looks) counts.add(one)
  return { processId, startedAt: looks[0]!.takenAtMs, minutes: counts.toJson() }
}

async function* seenBy(processId: string, looks: readonly RecordedLook[]): AsyncGenerator<LookOfProcess[]> {
  for (const one of looks) yield [{ processId, look: one }]
}

test.each([
  { name: 'one that stays is one in each step', looks: [look(0, [1]), look(1, [1]), look(2, [1])], step: 120, tracks: 1, counts: [1, 1, 0, 0, 0] }, // prettier-ignore
  { name: 'in a step, all that were there in its first minute and all that are new', looks: [look(0, [1, 2]), look(1, [2, 3]), look(2, [3]), look(3, [4, 5])], step: 120, tracks: 5, counts: [3, 3, 0, 0, 0] }, // prettier-ignore
  { name: 'one that was there long before is counted when it is back', looks: [look(0, [1]), look(3, [1])], step: 120, tracks: 1, counts: [1, 1, 0, 0, 0] }, // prettier-ignore
  { name: 'without tracking, the most at once', looks: [look(0, [0]), look(1, [0, 0, 0]), look(3, [0, 0])], step: 120, tracks: 3, counts: [3, 2, 0, 0, 0] }, // prettier-ignore
])('$name', async ({ looks, step, tracks, counts }) => {
  const expected = [{ className: 'person', tracks, counts }]
  expect(countMinutes([fileOf(looks)], grid(step))).toEqual(expected)
  expect(await countLooks(seenBy('p', looks), grid(step))).toEqual(expected)
})

test('tracks of several processes and classes are all different, the most frequent class first', async () => {
  const mine = [look(0, [1, [2, 'car']]), look(0, [1, [2, 'car']], 5)]
  const theirs = [look(0, [[1, 'car']]), look(1, [[2, 'car']])]
  const expected = [
    { className: 'car', tracks: 3, counts: [3, 0] },
    { className: 'person', tracks: 1, counts: [1, 0] },
  ]
  expect(countMinutes([fileOf(mine), fileOf(theirs, { processId: 'q' })], grid(300))).toEqual(expected)
  async function* both() {
    yield* seenBy('p', mine)
    yield* seenBy('q', theirs)
  }
  expect(await countLooks(both(), grid(300))).toEqual(expected)
})

test('what is outside of the stretch counts nothing, though its file reaches into it', () => {
  const files = [fileOf([look(-1, [1, 2]), look(0, [2, 3]), look(10, [4])])]
  // It begins in the hour before.
  const hourBefore = fileOf([look(-1, [1, 2])])
  const hour = fileOf([look(0, [2, 3]), look(10, [4])], { after: 2 })
  expect(files).toHaveLength(1)
  expect(countMinutes([hourBefore, hour], grid(300))).toEqual([{ className: 'person', tracks: 2, counts: [2, 0] }])
})

test('two files of a process in one minute have different tracks', () => {
  const files = [fileOf([look(0, [1, 2])]), fileOf([look(0, [3], 30), look(1, [3, 4])], { after: 2 })]
  expect(countMinutes(files, grid(600))).toEqual([{ className: 'person', tracks: 4, counts: [4] }])
  expect(countMinutes(files, grid(60, 2))).toEqual([{ className: 'person', tracks: 4, counts: [3, 2] }])
})

test('steps of seconds are counted from what was seen itself', async () => {
  const looks = [look(0, [1], 0), look(0, [1, 2], 4.9), look(0, [2], 5), look(0, [[2, 'car']], 6)]
  expect(await countLooks(seenBy('p', looks), grid(5, 1))).toMatchObject([
    { className: 'car', tracks: 1, counts: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    { className: 'person', tracks: 1, counts: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  ])
})

test('whoever comes and goes, but does not come back, is counted the same by minutes and by looks', async () => {
  /** Each comes at a minute and stays for some. */
  const visits = fc.array(fc.record({ at: fc.nat(9), stays: fc.integer({ min: 1, max: 10 }) }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(visits, fc.constantFrom(60, 120, 300, 600), async (some, step) => {
      const inOrder = some.toSorted((a, b) => a.at - b.at)
      const looks = Array.from({ length: 10 }, (_, minute) => {
        const ids = inOrder.flatMap(({ at, stays }, index) => (at <= minute && minute < at + stays ? [index + 1] : []))
        return look(minute, ids)
      })
      expect(countMinutes([fileOf(looks)], grid(step))).toEqual(await countLooks(seenBy('p', looks), grid(step)))
    }),
  )
})
