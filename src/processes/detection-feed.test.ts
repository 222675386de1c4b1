import { expect, test } from 'vitest'
import { aProcess, aScene } from '../../test/builders/process.ts'
import { createDetectionFeed, type FeedClient } from './detection-feed.ts'
import { type DetectionMessage } from './detection-message.ts'

function aClient() {
  const taken: DetectionMessage[] = []
  const ends: string[] = []
  const client: FeedClient = {
    take: (message) => taken.push(JSON.parse(message) as DetectionMessage),
    end: ({ state }) => ends.push(state),
  }
  return { client, taken, ends }
}

test('everybody gets the same messages; the count goes on while nobody listens', () => {
  const feed = createDetectionFeed()
  const process = aProcess()
  feed.onScene(process, aScene())
  const [one, two] = [aClient(), aClient()]
  const leave = feed.listen(process.id, one.client)
  feed.listen(process.id, two.client)
  feed.onScene(process, aScene())
  leave()
  feed.onScene(process, aScene())
  expect(one.taken.map(({ sequence }) => sequence)).toEqual([2])
  expect(two.taken.map(({ sequence }) => sequence)).toEqual([2, 3])
  expect(feed.countClients(process.id)).toBe(1)
})

test('processes are apart from each other', () => {
  const feed = createDetectionFeed()
  const [mine, other] = [aProcess(), aProcess()]
  const { client, taken, ends } = aClient()
  feed.listen(mine.id, client)
  feed.onScene(other, aScene())
  feed.onEnd(other)
  expect([taken, ends]).toEqual([[], []])
})

test('the end is told once, and nothing is kept', () => {
  const feed = createDetectionFeed()
  const process = aProcess({ state: 'finished' })
  const { client, ends } = aClient()
  feed.listen(process.id, client)
  feed.onEnd(process)
  feed.onEnd(process)
  expect(ends).toEqual(['finished'])
  expect(feed.countClients(process.id)).toBe(0)
})
