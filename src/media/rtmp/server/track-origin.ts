import { type MediaPacket, type SenderReport } from '../../stream.ts'
import { type RtpClock } from './rtp-clock.ts'

/** When a track's time 0 was, as far as it is known. */
export interface TrackOrigin {
  arrived(packet: MediaPacket): void
  reported(report: SenderReport): void
  readonly byArrivalMs: number | undefined
  readonly byReportMs: number | undefined
}

export function createTrackOrigin(clock: RtpClock, clockRate: number): TrackOrigin {
  let byArrivalMs: number | undefined
  let lastReport: SenderReport | undefined
  return {
    arrived: ({ receivedAtMs }) => void (byArrivalMs ??= receivedAtMs),
    reported: (report) => void (lastReport = report),
    get byArrivalMs() {
      return byArrivalMs
    },
    get byReportMs() {
      const ticks = lastReport && clock.ticksOf(lastReport.timestamp)
      return ticks === undefined ? undefined : lastReport!.wallClockMs - (ticks * 1000) / clockRate
    },
  }
}

/**
 * How much later the audio's time began than the video's. Reports are exact, but two clocks must not be mixed: without
 * a report of both, arrival has to do.
 */
export function audioOffsetMs(video: TrackOrigin, audio: TrackOrigin): number {
  if (video.byReportMs !== undefined && audio.byReportMs !== undefined) return audio.byReportMs - video.byReportMs
  return (audio.byArrivalMs ?? 0) - (video.byArrivalMs ?? audio.byArrivalMs ?? 0)
}
