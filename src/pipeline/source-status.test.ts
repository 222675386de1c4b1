import { describe, expect, test } from 'vitest'
import { type FromWorker } from './messages.ts'
import { type OpenedVideo, type Picture } from './picture.ts'
import { createSourceStatus } from './source-status.ts'

const video = { codec: 'h264', fps: 25 } as OpenedVideo
const picture = { takenAtMs: 10_000, ptsSeconds: 4, decoded: { width: 200, height: 100 } } as Picture
const lost = { type: 'reconnecting', sentence: 'The stream has ended.' } as const

function setUp(isFile = true) {
  const sent: FromWorker[] = []
  const changes: boolean[] = []
  const status = createSourceStatus({
    isFile,
    send: (message) => void sent.push(message),
    onChange: () => void changes.push(status.isLost),
  })
  return { status, sent, changes }
}

describe('running', () => {
  test('is reported once, with the moment that the beginning of a file stands for', () => {
    const { status, sent } = setUp()
    status.onModelLoaded()
    status.onOpened(video)
    expect(status.isRunning).toBe(false)
    status.onPicture(picture)
    status.onPicture(picture)
    expect(status.isRunning).toBe(true)
    const shown = { codec: 'h264', width: 200, height: 100, fps: 25 }
    expect(sent).toEqual([{ type: 'running', video: shown, startedAtMs: 6_000 }])
  })

  test('is not reported before the model is loaded', () => {
    const { status, sent } = setUp()
    status.onOpened(video)
    status.onPicture(picture)
    expect(sent).toEqual([])
    status.onModelLoaded()
    status.onPicture(picture)
    expect(sent).toHaveLength(1)
  })

  test('is reported again after a loss', () => {
    const { status, sent, changes } = setUp(false)
    status.onModelLoaded()
    status.onOpened(video)
    status.onPicture(picture)
    status.onLost(lost.sentence)
    status.onOpened(video)
    expect(status.isLost).toBe(true)
    status.onPicture(picture)
    expect(sent.map(({ type }) => type)).toEqual(['running', 'reconnecting', 'running'])
    expect(sent[1]).toEqual(lost)
    expect(changes).toEqual([true, false])
  })
})

describe('a retry', () => {
  test('wakes an attempt that waits', async () => {
    const { status } = setUp(false)
    const requested = status.retryRequested()
    status.retry()
    await expect(requested).resolves.toBeUndefined()
  })

  test('that came during the last attempt counts for the next wait', async () => {
    const { status } = setUp(false)
    status.retry()
    await expect(status.retryRequested()).resolves.toBeUndefined()
  })
})
