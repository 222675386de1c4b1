import { createPacketSequencer, type PacketSequencerOptions } from './packet-sequencer.ts'

export interface PacketizerOptions extends PacketSequencerOptions {
  /** The largest RTP packet in bytes, its header included. */
  readonly mtu?: number
}

/** Makes RTP packets of an access unit; the last one carries the marker. What RTP can't carry is left out. */
export type NalUnitPacketizer = (nalUnits: readonly Buffer[], timestamp: number) => Buffer[]

/** Where H.264 (RFC 6184) and H.265 (RFC 7798) differ in the same scheme. */
export interface NalUnitFormat {
  /** Bytes of the NAL unit header, which fragments carry in another form. */
  readonly headerLength: number
  isCarriable(nalUnit: Buffer): boolean
  isSlice(nalUnit: Buffer): boolean
  aggregationHeader(nalUnits: readonly Buffer[]): Buffer
  fragmentHeader(nalUnit: Buffer, isFirst: boolean, isLast: boolean): Buffer
}

const RTP_HEADER_LENGTH = 12

export function createNalUnitPacketizer(format: NalUnitFormat, options: PacketizerOptions): NalUnitPacketizer {
  const maxPayload = (options.mtu ?? 1400) - RTP_HEADER_LENGTH
  const nextPacket = createPacketSequencer(options)

  return (nalUnits, timestamp) => {
    const payloads: Buffer[][] = []
    let together: Buffer[] = []
    let togetherBytes = format.headerLength

    const flushTogether = () => {
      if (together.length === 1) payloads.push(together)
      if (together.length > 1) payloads.push([format.aggregationHeader(together), ...together.flatMap(withSize)])
      together = []
      togetherBytes = format.headerLength
    }

    for (const nalUnit of nalUnits) {
      if (!format.isCarriable(nalUnit)) continue
      // Parameter sets, delimiters and SEI are small: they share a packet, so that a reader who starts
      // at a keyframe gets them with its first one.
      if (!format.isSlice(nalUnit) && format.headerLength + 2 + nalUnit.length <= maxPayload) {
        if (togetherBytes + 2 + nalUnit.length > maxPayload) flushTogether()
        together.push(nalUnit)
        togetherBytes += 2 + nalUnit.length
        continue
      }
      flushTogether()
      if (nalUnit.length <= maxPayload) payloads.push([nalUnit])
      else payloads.push(...fragments(nalUnit))
    }
    flushTogether()

    return payloads.map((parts, index) => nextPacket(timestamp, index === payloads.length - 1, ...parts))
  }

  function fragments(nalUnit: Buffer): Buffer[][] {
    const step = maxPayload - format.headerLength - 1
    const result: Buffer[][] = []
    for (let at = format.headerLength; at < nalUnit.length; at += step) {
      const isLast = at + step >= nalUnit.length
      const header = format.fragmentHeader(nalUnit, at === format.headerLength, isLast)
      result.push([header, nalUnit.subarray(at, at + step)])
    }
    return result
  }
}

function withSize(nalUnit: Buffer): Buffer[] {
  const size = Buffer.allocUnsafe(2)
  size.writeUInt16BE(nalUnit.length)
  return [size, nalUnit]
}
