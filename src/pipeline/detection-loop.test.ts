import { expect, test } from 'vitest'
import { type DetectionStages } from './detection-stages.ts'
import { runDetection } from './detection-loop.ts'
import { type FromWorker } from './messages.ts'
import { type LocatedPicture, type Picture } from './picture.ts'

async function* none(): AsyncGenerator<Picture, void, undefined> {}

/** Two pictures of a stream, and all that the loop does about them. */
function setUp(count = 2) {
  const stopping = new AbortController()
  const calls: string[] = []
  const sent: FromWorker[] = []
  let isRunning = false
  const stages: DetectionStages = {
    async *run() {
      for (let index = 0; index < count; index++)
        yield {
          takenAtMs: index,
          detectedAtMs: 9,
          arrivedMs: 0,
          ptsSeconds: index,
          rtpTimestamp: null,
          tracks: [],
          known: [],
          decoded: { width: 200, height: 100, release: () => void calls.push(`release ${index}`) },
        } as unknown as LocatedPicture
    },
    takeInferenceMs: () => 5,
    isStill: false,
    tiling: () => undefined,
  }
  const run = () =>
    runDetection(none(), {
      stages,
      status: {
        get isRunning() {
          return isRunning
        },
        onPicture: () => void (isRunning = true),
      },
      statistics: {
        tiled: () => void calls.push('tiled'),
        inferred: (ms) => void calls.push(`inferred ${ms}`),
        processed: () => void calls.push('processed'),
      },
      scenePictures: { see() {} },
      trackPictures: { see: ({ takenAtMs }) => void calls.push(`kept ${takenAtMs}`) },
      onTracks: ({ takenAtMs }) => void calls.push(`tracks ${takenAtMs}`),
      send(message) {
        sent.push(message)
        calls.push(message.type)
      },
      signal: stopping.signal,
    })
  return { run, calls, sent, stop: () => stopping.abort() }
}

test('every picture is shown, let go, and sent as a scene', async () => {
  const { run, calls, sent } = setUp()
  await run()
  expect(calls.slice(0, 6)).toEqual(['tracks 0', 'kept 0', 'release 0', 'inferred 5', 'scene', 'processed'])
  const frame = { width: 200, height: 100, ptsSeconds: 1, rtpTimestamp: null }
  expect(sent[1]).toEqual({ type: 'scene', scene: { takenAtMs: 1, detectedAtMs: 9, frame, tracks: [] } })
})

test('nothing is sent once it is stopped, and the picture is let go', async () => {
  const { run, calls, stop } = setUp()
  stop()
  await run()
  expect(calls).toEqual(['tracks 0', 'kept 0', 'release 0'])
})

test('a source without a picture is unreadable, unless it was stopped', async () => {
  await expect(setUp(0).run()).rejects.toMatchObject({ failure: 'source-unreadable' })
  const { run, stop } = setUp(0)
  stop()
  await expect(run()).resolves.toBeUndefined()
})
