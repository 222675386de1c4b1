import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createTrackScenes } from './track-scenes.ts'

const jpegOf = (text: string) => new Uint8Array(Buffer.from(text))

test('a scene is asked for once, and is there once it has come', () => {
  const asked: string[] = []
  const scenes = createTrackScenes((trackId, takenAtMs) => asked.push(`${trackId} at ${takenAtMs}`), createFakeClock())
  expect([scenes.base64Of(1, 500), scenes.base64Of(1, 500), scenes.base64Of(1, 900)]).toEqual([null, null, null])
  expect(asked).toEqual(['1 at 500', '1 at 900'])
  scenes.add({ trackId: 1, takenAtMs: 500, jpeg: jpegOf('scene') })
  expect(scenes.base64Of(1, 500)).toBe(Buffer.from('scene').toString('base64'))
  expect(scenes.base64Of(1, 900)).toBeNull()
})

test('what nobody asked for, or is too large, is not kept, and the oldest go', () => {
  const scenes = createTrackScenes(() => {}, createFakeClock())
  scenes.add({ trackId: 1, takenAtMs: 0, jpeg: jpegOf('scene') })
  expect(scenes.base64Of(1, 0)).toBeNull()
  scenes.add({ trackId: 1, takenAtMs: 0, jpeg: new Uint8Array(1_000_000) })
  expect(scenes.base64Of(1, 0)).toBeNull()
  for (let trackId = 2; trackId <= 51; trackId++) scenes.base64Of(trackId, 0)
  scenes.add({ trackId: 1, takenAtMs: 0, jpeg: jpegOf('scene') })
  scenes.add({ trackId: 51, takenAtMs: 0, jpeg: jpegOf('scene') })
  expect(scenes.base64Of(51, 0)).not.toBeNull()
  expect(scenes.base64Of(1, 0)).toBeNull()
})

test('who waits for one gets it when it comes, or null in the end', async () => {
  const clock = createFakeClock()
  const scenes = createTrackScenes(() => {}, clock)
  const [mine, others, never] = [scenes.whenThere(null, 0), scenes.whenThere(null, 0), scenes.whenThere(1, 0)]
  scenes.add({ trackId: null, takenAtMs: 0, jpeg: jpegOf('scene') })
  const there = Buffer.from('scene').toString('base64')
  expect([await mine, await others, await scenes.whenThere(null, 0)]).toEqual([there, there, there])
  await clock.advance(15_000)
  expect(await never).toBeNull()
})

test('nobody waits for one that there is not, that is too large, or that too many came after', async () => {
  const scenes = createTrackScenes(() => {}, createFakeClock())
  const waiting = [scenes.whenThere(1, 0), scenes.whenThere(2, 0), scenes.whenThere(3, 0)]
  scenes.add({ trackId: 1, takenAtMs: 0, jpeg: null })
  scenes.add({ trackId: 2, takenAtMs: 0, jpeg: new Uint8Array(1_000_000) })
  for (let trackId = 4; trackId < 54; trackId++) scenes.base64Of(trackId, 0)
  expect(await Promise.all(waiting)).toEqual([null, null, null])
})
