import { H265_PACKET_TYPE, h265Type, isCarriableH265, isH265Slice } from './h265-nal-unit.ts'
import { createNalUnitPacketizer, type NalUnitPacketizer, type PacketizerOptions } from './nal-unit-packetizer.ts'

/** RFC 7798 without decoding order numbers: single NAL units, aggregation and fragmentation packets. */
export function createH265Packetizer(options: PacketizerOptions): NalUnitPacketizer {
  return createNalUnitPacketizer(
    {
      headerLength: 2,
      isCarriable: isCarriableH265,
      isSlice: isH265Slice,
      // §4.4.2: layer and temporal id are the lowest of the units in it.
      aggregationHeader(nalUnits) {
        const layerAndTemporal = Math.min(...nalUnits.map((nalUnit) => nalUnit.readUInt16BE() & 0x1ff))
        return Buffer.of((H265_PACKET_TYPE.aggregate << 1) | (layerAndTemporal >> 8), layerAndTemporal & 0xff)
      },
      fragmentHeader: (nalUnit, isFirst, isLast) =>
        Buffer.of(
          (nalUnit[0]! & 0x81) | (H265_PACKET_TYPE.fragment << 1),
          nalUnit[1]!,
          (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | h265Type(nalUnit),
        ),
    },
    options,
  )
}
