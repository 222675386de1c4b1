import { isAheadOf, sequenceNumbersAhead, timestampStep } from '../../rtp/wrapping-numbers.ts'

/**
 * What a receiver knows of a sender's packets, for its reports (RFC 3550 §6.4.1, appendices A.3 and A.8). Restarts when
 * the sender does.
 */
export interface Reception {
  packet(sequenceNumber: number, timestamp: number, arrivedMs: number): void
  /** A sender report arrived: the middle 32 bits of its NTP time. */
  senderReport(middleNtp: number, arrivedMs: number): void
  /** The report block's figures; the fraction of loss is that since the last call. */
  figures(nowMs: number): ReceptionFigures
}

export interface ReceptionFigures {
  /** In 256ths. */
  readonly fractionLost: number
  readonly totalLost: number
  readonly highestSequence: number
  /** In ticks of the track's clock. */
  readonly jitter: number
  readonly lastSenderReport: number
  /** Since then, in 65536ths of a second. */
  readonly delaySinceLastReport: number
}

const MAX_TOTAL_LOST = 0x7fffff

export function createReception(clockRate: number): Reception {
  let firstSequence: number | undefined
  let highest = 0
  let received = 0
  let expectedBefore = 0
  let receivedBefore = 0
  let jitter = 0
  let lastTransit: number | undefined
  let report: { readonly middleNtp: number; readonly arrivedMs: number } | undefined

  return {
    packet(sequenceNumber, timestamp, arrivedMs) {
      firstSequence ??= sequenceNumber
      if (received === 0) highest = sequenceNumber
      received++
      // Counted on across the 16 bits: what is less than half of them ahead is newer.
      if (isAheadOf(highest, sequenceNumber)) highest += sequenceNumbersAhead(highest, sequenceNumber)
      const transit = Math.round((arrivedMs * clockRate) / 1000) - timestamp
      if (lastTransit !== undefined) jitter += (Math.abs(timestampStep(lastTransit, transit)) - jitter) / 16
      lastTransit = transit
    },
    senderReport: (middleNtp, arrivedMs) => void (report = { middleNtp, arrivedMs }),
    figures(nowMs) {
      const expected = firstSequence === undefined ? 0 : highest - firstSequence + 1
      const expectedNow = expected - expectedBefore
      const lostNow = expectedNow - (received - receivedBefore)
      expectedBefore = expected
      receivedBefore = received
      return {
        fractionLost: expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
        totalLost: Math.min(MAX_TOTAL_LOST, Math.max(0, expected - received)),
        highestSequence: highest % 2 ** 32,
        jitter: Math.floor(jitter),
        lastSenderReport: report?.middleNtp ?? 0,
        delaySinceLastReport: report ? Math.floor(((nowMs - report.arrivedMs) * 65_536) / 1000) % 2 ** 32 : 0,
      }
    },
  }
}
