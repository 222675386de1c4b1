import { type DetectionMessage } from '@aerie/client'
import { expect, test } from 'vitest'
import { createSceneBuffer, rtpMsBetween } from './scene-buffer.ts'

const scene = (sequence: number, rtp: number | null, timestamp = '2026-01-01T00:00:00.000Z') =>
  ({ sequence, timestamp, frame: { rtp_timestamp: rtp } }) as DetectionMessage

function bufferOf(...scenes: DetectionMessage[]) {
  const buffer = createSceneBuffer()
  for (const one of scenes) buffer.add(one)
  return buffer
}

test('a frame finds what was seen in it', () => {
  const buffer = bufferOf(scene(1, 9000), scene(2, 18_000), scene(3, 27_000))
  expect(buffer.atRtp(18_000)?.sequence).toBe(2)
})

test('a frame that was not looked at has what was seen just before', () => {
  expect(bufferOf(scene(1, 9000), scene(2, 18_000)).atRtp(15_000)?.sequence).toBe(1)
})

test('what is older than the video can bear is not shown, nor what is to come', () => {
  const buffer = bufferOf(scene(1, 9000))
  expect(buffer.atRtp(9000 + 90 * 800)).toBeUndefined()
  expect(buffer.atRtp(8000)).toBeUndefined()
})

test('boxes of a slow detector stand until the next are due', () => {
  const slow = [0, 1, 2].map((second) => scene(second, second * 90_000, `2026-01-01T00:00:0${second}.000Z`))
  const buffer = bufferOf(...slow)
  expect(buffer.atRtp(2 * 90_000 + 90 * 1_400)?.sequence).toBe(2)
  expect(buffer.atRtp(2 * 90_000 + 90 * 1_600)).toBeUndefined()
})

test('the count may begin anew between two frames', () => {
  expect(rtpMsBetween(2 ** 32 - 90, 90)).toBe(2)
  expect(rtpMsBetween(90, 2 ** 32 - 90)).toBe(-2)
  expect(bufferOf(scene(1, 2 ** 32 - 90)).atRtp(90)?.sequence).toBe(1)
})

test('without RTP the wall clock decides', () => {
  const buffer = bufferOf(scene(1, null, '2026-01-01T00:00:00.000Z'), scene(2, null, '2026-01-01T00:00:00.200Z'))
  expect(buffer.atTime(Date.parse('2026-01-01T00:00:00.195Z'))?.sequence).toBe(2)
  expect(buffer.atTime(Date.parse('2026-01-01T00:00:00.100Z'))?.sequence).toBe(1)
  expect(buffer.atRtp(0)).toBeUndefined()
})

test('it keeps the last hundred or so', () => {
  const buffer = bufferOf(...Array.from({ length: 500 }, (_, index) => scene(index, index * 90)))
  expect(buffer.atRtp(100 * 90)).toBeUndefined()
  expect(buffer.newest?.sequence).toBe(499)
})
