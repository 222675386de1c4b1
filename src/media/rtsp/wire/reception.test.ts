import { expect, test } from 'vitest'
import { createReception } from './reception.ts'
import { buildReceiverReport } from './rtcp.ts'

test('losses are counted since the last report and in all, across the end of the numbers', () => {
  const reception = createReception(90_000)
  for (const [index, number] of [65_533, 65_534, 0, 1, 3].entries()) reception.packet(number, 3000 * index, index * 33)
  expect(reception.figures(0)).toMatchObject({
    fractionLost: Math.floor((2 * 256) / 7),
    totalLost: 2,
    highestSequence: 65_539,
  })
  reception.packet(4, 0, 0)
  expect(reception.figures(0)).toMatchObject({ fractionLost: 0, totalLost: 2, highestSequence: 65_540 })
})

test('packets that come late or twice are no loss', () => {
  const reception = createReception(90_000)
  for (const number of [10, 12, 11, 11, 13]) reception.packet(number, 0, 0)
  expect(reception.figures(0)).toMatchObject({ fractionLost: 0, totalLost: 0, highestSequence: 13 })
})

test('jitter is that of arrival against the timestamps', () => {
  const [even, uneven] = [createReception(90_000), createReception(90_000)]
  for (let index = 0; index < 100; index++) {
    even.packet(index, 3600 * index, 40 * index)
    uneven.packet(index, 3600 * index, 40 * index + (index % 2) * 10)
  }
  expect(even.figures(0).jitter).toBe(0)
  // 10 ms are 900 ticks.
  expect(uneven.figures(0).jitter).toBeGreaterThan(800)
})

test('a report says when the last one of the sender came', () => {
  const reception = createReception(90_000)
  reception.packet(1, 0, 0)
  reception.senderReport(0x12345678, 1_000)
  const report = buildReceiverReport(7, 9, reception.figures(3_500))
  expect(report.length).toBe(48)
  expect([report[0], report[1], report.readUInt16BE(2)]).toEqual([0x81, 201, 7])
  const words = [4, 8, 24, 28].map((at) => report.readUInt32BE(at))
  expect(words).toEqual([7, 9, 0x12345678, 2.5 * 65_536])
})

test('before anything came a report says only that somebody is there', () => {
  const report = buildReceiverReport(7)
  expect([report.length, report[0], report[1], report.readUInt32BE(4)]).toEqual([24, 0x80, 201, 7])
})
