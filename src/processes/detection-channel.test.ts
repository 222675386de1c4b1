import { expect, test } from 'vitest'
import { aProcess, aScene } from '../../test/builders/process.ts'
import { createDetectionChannel, type DetectionClient } from './detection-channel.ts'
import { type DetectionMessage } from './detection-message.ts'

function aClient() {
  const taken: DetectionMessage[] = []
  const ends: string[] = []
  const client: DetectionClient = {
    take: (message) => taken.push(JSON.parse(message) as DetectionMessage),
    end: ({ state }) => ends.push(state),
  }
  return { client, taken, ends }
}

test('everybody gets the same messages; the count goes on while nobody listens', () => {
  const channel = createDetectionChannel()
  const process = aProcess()
  channel.onScene(process, aScene())
  const [one, two] = [aClient(), aClient()]
  const leave = channel.listen(process.id, one.client)
  channel.listen(process.id, two.client)
  channel.onScene(process, aScene())
  leave()
  channel.onScene(process, aScene())
  expect(one.taken.map(({ sequence }) => sequence)).toEqual([2])
  expect(two.taken.map(({ sequence }) => sequence)).toEqual([2, 3])
  expect(channel.countClients(process.id)).toBe(1)
})

test('processes are apart from each other', () => {
  const channel = createDetectionChannel()
  const [mine, other] = [aProcess(), aProcess()]
  const { client, taken, ends } = aClient()
  channel.listen(mine.id, client)
  channel.onScene(other, aScene())
  channel.onEnd(other)
  expect([taken, ends]).toEqual([[], []])
})

test('the end is told once, and nothing is kept', () => {
  const channel = createDetectionChannel()
  const process = aProcess({ state: 'finished' })
  const { client, ends } = aClient()
  channel.listen(process.id, client)
  channel.onEnd(process)
  channel.onEnd(process)
  expect(ends).toEqual(['finished'])
  expect(channel.countClients(process.id)).toBe(0)
})
