import { expect, test } from 'vitest'
import { createFakeClock } from '../../../test/builders/fake-clock.ts'
import { followTakeover } from './takeover.ts'

function setUp() {
  const clock = createFakeClock(Date.parse('2026-11-15T08:00:00Z'))
  const said: string[] = []
  const seen = { isDead: false, node: 'node-2' as string | undefined, pictureAtMs: clock.now() as number | undefined }
  const leaving = new AbortController()
  const view = {
    isDead: async () => seen.isDead,
    nodeOfProcess: async () => seen.node,
    lastPictureAtMs: async () => seen.pictureAtMs,
  }
  const deps = { view, say: (line: string) => void said.push(line), clock, signal: leaving.signal }
  return { clock, said, seen, leaving, followed: followTakeover('node-2', deps) }
}

test('each thing is said when it is so, with the time since the kill', async () => {
  const { clock, said, seen, followed } = setUp()
  await clock.advance(5_000)
  expect(said).toEqual([])
  Object.assign(seen, { isDead: true, node: undefined, pictureAtMs: undefined })
  await clock.advance(1_000)
  seen.node = 'node-3'
  await clock.advance(1_000)
  seen.pictureAtMs = clock.now()
  await clock.advance(1_000)
  await followed
  expect(said).toEqual([
    'After 6.0 s: the others have declared node-2 dead.',
    'After 7.0 s: node-3 has the process.',
    'After 8.0 s: it goes on at node-3, under the same process_uuid, with the same alert and webhook.',
  ])
})

test('a picture of before the kill is none of the node that goes on', async () => {
  const { clock, said, seen } = setUp()
  await clock.advance(1_000)
  Object.assign(seen, { isDead: true, node: 'node-3' })
  await clock.advance(1_000)
  expect(said).toHaveLength(2)
})

test('nothing is said any more once the demo ends', async () => {
  const { clock, said, leaving, followed } = setUp()
  leaving.abort()
  await clock.advance(1_000)
  await followed
  expect(said).toEqual([])
})

test('what takes too long is said', async () => {
  const { clock, said, followed } = setUp()
  for (let second = 0; second < 190; second++) await clock.advance(1_000)
  await followed
  expect(said).toEqual([expect.stringMatching(/^After 18\d\.\d s node-2 still has not been declared dead; /)])
})
