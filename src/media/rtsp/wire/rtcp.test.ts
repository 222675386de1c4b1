import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildBye, buildSenderReport, parseSenderReport } from './rtcp.ts'

const fields = { ssrc: 0xdeadbeef, timestamp: 4_000_000_000, packets: 5, payloadBytes: 5000 }

test.each([
  ['now', Date.UTC(2026, 0, 1, 12, 0, 0, 123)],
  ['after the era ends in 2036', Date.UTC(2040, 0, 1)],
  ['with a fraction of a millisecond', Date.UTC(2026, 0, 1) + 0.25],
])('a report is read back as written: %s', (_when, wallClockMs) => {
  const report = parseSenderReport(buildSenderReport({ ...fields, wallClockMs }))
  expect(report?.timestamp).toBe(fields.timestamp)
  expect(report?.wallClockMs).toBeCloseTo(wallClockMs, 2)
})

test('a report looks as the RFC says', () => {
  const report = buildSenderReport({ ...fields, wallClockMs: Date.UTC(1970, 0, 1, 0, 0, 1) })
  expect(report.toString('hex')).toBe(
    '80c80006deadbeef' + '83aa7e8100000000' + 'ee6b280000000005' + '00001388' + '81ca0003deadbeef' + '0105616572696500',
  )
})

test('a report is found behind other packets of the compound', () => {
  const compound = Buffer.concat([buildBye(1), buildSenderReport({ ...fields, wallClockMs: 1e12 })])
  expect(parseSenderReport(compound)?.wallClockMs).toBeCloseTo(1e12, 2)
})

test('a sender without a clock reports no time', () => {
  const report = buildSenderReport({ ...fields, wallClockMs: 1e12 })
  report.fill(0, 8, 16)
  expect(parseSenderReport(report)).toBeUndefined()
})

test('no bytes make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => void parseSenderReport(Buffer.from(bytes))))
})
