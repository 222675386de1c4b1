import { type Publication } from '../../publication.ts'

/** Sends one track to the hub as RTP. */
export interface TrackOutlet<Unit> {
  send(unit: Unit, presentationMs: number): void
}

export interface TrackOutletOptions<Unit> {
  readonly publication: Pick<Publication, 'write'>
  readonly track: number
  /** RTP time of stream time 0. */
  readonly firstTimestamp: number
  readonly toTicks: (ms: number) => number
  readonly packetize: (unit: Unit, timestamp: number) => Buffer[]
}

export function createTrackOutlet<Unit>(options: TrackOutletOptions<Unit>): TrackOutlet<Unit> {
  const { publication, track, firstTimestamp, toTicks, packetize } = options
  let lastTicks: number | undefined
  return {
    send(unit, presentationMs) {
      let ticks = toTicks(presentationMs)
      // Packets with the same timestamp are one picture, whatever the encoder meant.
      if (ticks === lastTicks) ticks += 1
      lastTicks = ticks
      for (const packet of packetize(unit, (firstTimestamp + ticks) >>> 0)) publication.write(track, packet)
    },
  }
}
