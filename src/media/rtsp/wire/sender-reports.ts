import { type MediaPacket, type SenderReport } from '../../stream.ts'
import { buildBye, buildSenderReport } from './rtcp.ts'

/**
 * The publisher's sender reports, rewritten for one reader: with the sender that its packets name and what was sent to it.
 * A report that arrives before the first packet of its track waits for it, because only then the sender is known.
 */
export interface SenderReports {
  count(packet: MediaPacket): void
  hold(report: SenderReport): void
  /** Those that can be sent now. Cheap when there are none. */
  take(): readonly TrackReport[]
  /** A goodbye for each track that was sent. */
  byes(): readonly TrackReport[]
}

export interface TrackReport {
  readonly track: number
  readonly data: Buffer
}

const NONE: readonly TrackReport[] = []

export function createSenderReports(): SenderReports {
  const sent = new Map<number, { ssrc: number; packets: number; payloadBytes: number }>()
  /** At most one a track: the newest. */
  const held = new Map<number, SenderReport>()

  return {
    count({ track, data }) {
      let totals = sent.get(track)
      if (!totals) sent.set(track, (totals = { ssrc: 0, packets: 0, payloadBytes: 0 }))
      totals.ssrc = data.readUInt32BE(8)
      totals.packets++
      totals.payloadBytes += data.length - 12
    },
    hold: (report) => void held.set(report.track, report),
    take() {
      if (held.size === 0) return NONE
      const reports: TrackReport[] = []
      for (const [track, { timestamp, wallClockMs }] of held) {
        const totals = sent.get(track)
        if (!totals) continue
        held.delete(track)
        reports.push({ track, data: buildSenderReport({ ...totals, timestamp, wallClockMs }) })
      }
      return reports
    },
    byes: () => [...sent].map(([track, { ssrc }]) => ({ track, data: buildBye(ssrc) })),
  }
}
