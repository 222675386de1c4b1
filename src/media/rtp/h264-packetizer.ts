import { H264_PACKET_TYPE, h264Type, isCarriableH264, isH264Slice } from './h264-nal-unit.ts'
import { createNalUnitPacketizer, type NalUnitPacketizer, type PacketizerOptions } from './nal-unit-packetizer.ts'

const REFERENCE_IDC = 0x60

/** RFC 6184 in packetization mode 1: single NAL units, STAP-A and FU-A. */
export function createH264Packetizer(options: PacketizerOptions): NalUnitPacketizer {
  return createNalUnitPacketizer(
    {
      headerLength: 1,
      isCarriable: isCarriableH264,
      isSlice: isH264Slice,
      // §5.7.1: the aggregate is as important as the most important unit in it.
      aggregationHeader: (nalUnits) =>
        Buffer.of(Math.max(...nalUnits.map((nalUnit) => nalUnit[0]! & REFERENCE_IDC)) | H264_PACKET_TYPE.aggregate),
      // §5.8: forbidden bit and importance stay in front, the type moves behind start and end flags.
      fragmentHeader: (nalUnit, isFirst, isLast) =>
        Buffer.of(
          (nalUnit[0]! & 0xe0) | H264_PACKET_TYPE.fragment,
          (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | h264Type(nalUnit),
        ),
    },
    options,
  )
}
