import { randomInt } from 'node:crypto'
import { createH264Packetizer } from '../../media/rtp/h264-codec.ts'
import { interleave, mediaChannel } from '../../media/rtsp/wire/interleave.ts'
import { CLOCK_RATE } from '../clock-rate.ts'
import { memoizeLast } from './memoize-last.ts'
import { type CodedPicture } from './sink.ts'

export const PAYLOAD_TYPE = 96

/** A picture as it goes to the media server. */
export interface PackedPicture {
  /** All its RTP packets, ready for the connection. */
  readonly frames: Buffer
  readonly timestamp: number
  readonly packets: number
  readonly payloadBytes: number
}

/**
 * Packs each picture once for all paths that get it, since packing costs more than sending. The paths have their ssrc and
 * sequence numbers in common, which no reader can see: it reads one path.
 */
export interface HubPackets {
  readonly ssrc: number
  readonly pack: (picture: CodedPicture) => PackedPicture
}

export function createHubPackets(): HubPackets {
  const ssrc = randomInt(2 ** 32)
  const packetize = createH264Packetizer({ payloadType: PAYLOAD_TYPE, ssrc })
  const pack = memoizeLast(({ nalUnits, ptsMs }: CodedPicture): PackedPicture => {
    // As an unsigned number of 32 bits, whatever the sign.
    const timestamp = Number(BigInt.asUintN(32, BigInt(Math.round((ptsMs * CLOCK_RATE) / 1000))))
    const packets = packetize(nalUnits, timestamp)
    const payloadBytes = packets.reduce((sum, { length }) => sum + length, 0)
    const frames = interleave(packets.map((data) => ({ channel: mediaChannel(0), data })))
    return { frames, timestamp, packets: packets.length, payloadBytes }
  })
  return { ssrc, pack }
}
