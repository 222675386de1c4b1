import { type Publication } from '../hub.ts'
import { type WallClock } from './wall-clock.ts'

/** Sends one track to the hub as RTP, with a sender report now and then. */
export interface TrackOutlet<Unit> {
  send(unit: Unit, presentationMs: number, arrivedAtMs: number): void
}

export interface TrackOutletOptions<Unit> {
  readonly publication: Pick<Publication, 'write' | 'report'>
  readonly track: number
  readonly clockRate: number
  /** RTP time of stream time 0. */
  readonly firstTimestamp: number
  readonly wallClock: WallClock
  readonly toTicks: (ms: number) => number
  readonly packetize: (unit: Unit, timestamp: number) => Buffer[]
}

const REPORT_EVERY_MS = 2000

export function createTrackOutlet<Unit>(options: TrackOutletOptions<Unit>): TrackOutlet<Unit> {
  const { publication, track, clockRate, firstTimestamp, wallClock, toTicks, packetize } = options
  let lastTicks: number | undefined
  let nextReportAtMs = Number.NEGATIVE_INFINITY

  return {
    send(unit, presentationMs, arrivedAtMs) {
      let ticks = toTicks(presentationMs)
      // Packets with the same timestamp are one picture, whatever the encoder meant.
      if (ticks === lastTicks) ticks += 1
      lastTicks = ticks
      const timestamp = (firstTimestamp + ticks) >>> 0
      if (arrivedAtMs >= nextReportAtMs) {
        report(timestamp, (ticks * 1000) / clockRate)
        nextReportAtMs = arrivedAtMs + REPORT_EVERY_MS
      }
      for (const packet of packetize(unit, timestamp)) publication.write(track, packet)
    },
  }

  function report(timestamp: number, streamMs: number): void {
    const wallClockMs = wallClock.at(streamMs)
    if (wallClockMs !== undefined) publication.report({ track, timestamp, wallClockMs })
  }
}
