import { expect, test } from 'vitest'
import { createLiveBranch } from './live-branch.ts'
import { type Picture } from './picture.ts'

function setUp({ isPaused = false, isPreviewed = false, isWatched = false }) {
  const previewed: number[] = []
  const out: { timeMs: number; asOf: unknown }[] = []
  const branch = createLiveBranch({
    preview: { isWatched: isPreviewed, show: ({ timeMs }) => void previewed.push(timeMs) },
    videoOut: {
      get isEmpty() {
        return out.length === 0
      },
      isWatched,
      show: ({ timeMs }, [track]) => void out.push({ timeMs, asOf: track?.id }),
    },
    pause: { isPaused },
    latestTracks: {
      at: (timeMs) => [{ id: timeMs, className: '', confidence: 1, box: { x: 0, y: 0, width: 1, height: 1 } }],
    },
  })
  return { branch, previewed, out }
}

test.each([
  { name: 'every picture is shown', isPaused: false, shown: [0, 40] },
  { name: 'while paused outputs hold the first one, and the preview goes on', isPaused: true, shown: [0] },
])('$name', ({ isPaused, shown }) => {
  const { branch, previewed, out } = setUp({ isPaused, isWatched: true })
  for (const timeMs of [0, 40]) branch.show({ timeMs } as Picture)
  expect(previewed).toEqual([0, 40])
  expect(out).toEqual(shown.map((timeMs) => ({ timeMs, asOf: timeMs })))
})

test('where nobody looks, no tracks are predicted', () => {
  const { branch, out } = setUp({})
  branch.show({ timeMs: 0 } as Picture)
  expect(out).toEqual([{ timeMs: 0, asOf: undefined }])
})

test.each([
  { name: 'nobody', expected: false },
  { name: 'the viewer of a preview', isPreviewed: true, expected: true },
  { name: 'the viewer of a preview, while paused', isPreviewed: true, isPaused: true, expected: true },
  { name: 'an output', isWatched: true, expected: true },
  { name: 'an output, while paused', isWatched: true, isPaused: true, expected: false },
])('$name sees every picture: $expected', ({ expected, ...situation }) => {
  expect(setUp(situation).branch.isWatched).toBe(expected)
})
