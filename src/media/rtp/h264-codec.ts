import { createBitReader } from './bit-reader.ts'
import { createH264Depacketizer } from './h264-depacketizer.ts'
import { H264_PACKET_TYPE, H264_TYPE, h264Type, isCarriableH264, isH264Idr, isH264Slice } from './h264-nal-unit.ts'
import { createH264Packetizer } from './h264-packetizer.ts'
import { parseH264Sps } from './h264-sps.ts'
import { describeH264Track } from './h264-track.ts'
import { type NalUnitCodec } from './nal-unit-codec.ts'

export const h264Codec: NalUnitCodec = {
  headerLength: 1,
  aggregateType: H264_PACKET_TYPE.aggregate,
  parameterSetTypes: [H264_TYPE.sps, H264_TYPE.pps],
  spsType: H264_TYPE.sps,
  delimiterType: H264_TYPE.delimiter,
  typeOf: h264Type,
  isCarriable: isCarriableH264,
  isSlice: isH264Slice,
  isKeyUnit: isH264Idr,
  isClosedKeyUnit: isH264Idr,
  // The first field of a PPS (§7.3.2.2), and of an SPS behind profile and level (§7.3.2.1.1).
  setIdOf: (set) => createBitReader(set.subarray(h264Type(set) === H264_TYPE.sps ? 4 : 1)).ue(),
  parseSps: parseH264Sps,
  describeTrack: describeH264Track,
  createPacketizer: createH264Packetizer,
  createDepacketizer: () => createH264Depacketizer(),
}
