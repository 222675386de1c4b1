import { isParameterSet, readPictureInfo } from '../rtp/nal-unit-codec.ts'
import { NAL_UNIT_CODECS } from '../rtp/nal-unit-codecs.ts'
import { createParameterSets } from '../rtp/parameter-sets.ts'
import { timestampStep } from '../rtp/wrapping-numbers.ts'
import { type VideoTrack } from '../stream.ts'
import { type Frame } from './frame.ts'

/**
 * Packets of a camera in, pictures for browsers out: none larger than a datagram may be on any network, and the
 * parameter sets before every keyframe, because a browser that comes later knows no others.
 */
export interface PictureMaker {
  push(packet: Buffer): readonly Frame[]
  /** Pictures come in another order than they are shown: WebRTC can't do that. Undefined while it isn't known. */
  readonly hasReorderedPictures: boolean | undefined
}

/** What fits into every path, with the headers of SRTP, UDP and IPv6. */
const MTU = 1200

export function createPictureMaker(track: number, { codec, parameterSets = [] }: VideoTrack): PictureMaker {
  const format = NAL_UNIT_CODECS[codec]
  const depacketizer = format.createDepacketizer()
  const packetize = format.createPacketizer({ payloadType: 0, ssrc: 0, mtu: MTU })
  const setKeeper = createParameterSets(codec, parameterSets)
  let sets = parameterSets
  let lastTimestamp: number | undefined
  let wentBack = false

  /** A camera's sets come with the picture, before it, or only in the description. */
  function withSets(nalUnits: readonly Buffer[]): readonly Buffer[] {
    if (nalUnits.some((nalUnit) => isParameterSet(format, nalUnit))) return nalUnits
    // A delimiter stays the first of its picture.
    const at = format.typeOf(nalUnits[0]!) === format.delimiterType ? 1 : 0
    return [...nalUnits.slice(0, at), ...sets, ...nalUnits.slice(at)]
  }

  return {
    push(packet) {
      sets = setKeeper.update(packet) ?? sets
      return depacketizer.push(packet).map(({ nalUnits, timestamp }) => {
        if (lastTimestamp !== undefined && timestampStep(lastTimestamp, timestamp) < 0) wentBack = true
        lastTimestamp = timestamp
        const isKeyframe = nalUnits.some(format.isKeyUnit)
        const packets = packetize(isKeyframe ? withSets(nalUnits) : nalUnits, timestamp)
        const bytes = packets.reduce((sum, { length }) => sum + length, 0)
        return { track, timestamp, packets, bytes, isKeyframe }
      })
    },
    get hasReorderedPictures() {
      if (wentBack) return true
      const reordered = readPictureInfo(format, sets)?.maxReorderedFrames
      return reordered === undefined ? undefined : reordered > 0
    },
  }
}
