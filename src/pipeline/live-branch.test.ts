import { expect, test } from 'vitest'
import { showLive } from './live-branch.ts'
import { type Picture } from './picture.ts'

async function* pictures(): AsyncGenerator<Picture, void, undefined> {
  for (const timeMs of [0, 40]) yield { timeMs } as Picture
}

test.each([
  { name: 'every picture is shown and passed on', isPaused: false, shown: [0, 40] },
  { name: 'while paused outputs hold the first one, and the preview goes on', isPaused: true, shown: [0] },
])('$name', async ({ isPaused, shown }) => {
  const previewed: number[] = []
  const out: { timeMs: number; asOf: unknown }[] = []
  const stage = showLive({
    preview: { show: ({ timeMs }) => void previewed.push(timeMs) },
    videoOut: {
      get isEmpty() {
        return out.length === 0
      },
      show: ({ timeMs }, [track]) => void out.push({ timeMs, asOf: track?.id }),
    },
    pause: { isPaused },
    latestTracks: {
      at: (timeMs) => [{ id: timeMs, className: '', confidence: 1, box: { x: 0, y: 0, width: 1, height: 1 } }],
    },
  })
  const passedOn: number[] = []
  for await (const { timeMs } of stage(pictures())) passedOn.push(timeMs)
  expect(passedOn).toEqual([0, 40])
  expect(previewed).toEqual([0, 40])
  expect(out).toEqual(shown.map((timeMs) => ({ timeMs, asOf: timeMs })))
})
