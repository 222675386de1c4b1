import { type Publication } from '../../publication.ts'

/** Writes one track to the hub as RTP. */
export interface TrackWriter<Unit> {
  write(unit: Unit, presentationMs: number): void
}

export interface TrackWriterOptions<Unit> {
  readonly publication: Pick<Publication, 'write'>
  readonly track: number
  /** RTP time of stream time 0. */
  readonly firstTimestamp: number
  readonly toTicks: (ms: number) => number
  readonly packetize: (unit: Unit, timestamp: number) => Buffer[]
}

export function createTrackWriter<Unit>(options: TrackWriterOptions<Unit>): TrackWriter<Unit> {
  const { publication, track, firstTimestamp, toTicks, packetize } = options
  let lastTicks: number | undefined
  return {
    write(unit, presentationMs) {
      let ticks = toTicks(presentationMs)
      // Packets with the same timestamp are one picture, whatever the encoder meant.
      if (ticks === lastTicks) ticks += 1
      lastTicks = ticks
      for (const packet of packetize(unit, (firstTimestamp + ticks) >>> 0)) publication.write(track, packet)
    },
  }
}
