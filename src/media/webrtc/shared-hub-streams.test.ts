import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type HubStream } from './hub-stream.ts'
import { createSharedHubStreams } from './shared-hub-streams.ts'

function createRig({ failures = 0 } = {}) {
  const opened: { url: string; end: () => void; closes: number }[] = []
  const streams = createSharedHubStreams(async (url, end) => {
    const stream = { url, end, closes: 0 }
    opened.push(stream)
    if (opened.length <= failures) throw new Error('not live')
    return { close: async () => void stream.closes++ } as Partial<HubStream> as HubStream
  })
  return { streams, opened }
}

test('a path is read once, and closed once, with its last user', async () => {
  const { streams, opened } = createRig()
  const [one, two] = [streams.use('ann/cam', 'url'), streams.use('ann/cam', 'another url')]
  expect(await one.opened).toBe(await two.opened)
  one.release()
  one.release()
  await setImmediate()
  expect(opened).toMatchObject([{ url: 'url', closes: 0 }])
  two.release()
  await setImmediate()
  expect(opened).toMatchObject([{ closes: 1 }])
})

test('after a stream has ended, or could not be opened, the next user opens another', async () => {
  const { streams, opened } = createRig({ failures: 1 })
  await expect(streams.use('ann/cam', 'url').opened).rejects.toThrow('not live')
  const old = streams.use('ann/cam', 'url')
  opened[1]!.end()
  streams.use('ann/cam', 'url')
  expect(opened).toHaveLength(3)
  // The end of the old one is not that of the new one.
  old.release()
  opened[1]!.end()
  streams.use('ann/cam', 'url')
  expect(opened).toHaveLength(3)
  await streams.close()
  expect(opened.map(({ closes }) => closes)).toEqual([0, 1, 1])
})
