import { createBitReader } from './bit-reader.ts'
import { createH265Depacketizer } from './h265-depacketizer.ts'
import {
  H265_PACKET_TYPE,
  H265_TYPE,
  h265Type,
  isCarriableH265,
  isH265ClosedIrap,
  isH265Irap,
  isH265Slice,
} from './h265-nal-unit.ts'
import { createH265Packetizer } from './h265-packetizer.ts'
import { parseH265Sps } from './h265-sps.ts'
import { describeH265Track } from './h265-track.ts'
import { type NalUnitCodec } from './nal-unit-codec.ts'

export const h265Codec: NalUnitCodec = {
  headerLength: 2,
  aggregateType: H265_PACKET_TYPE.aggregate,
  parameterSetTypes: [H265_TYPE.vps, H265_TYPE.sps, H265_TYPE.pps],
  spsType: H265_TYPE.sps,
  delimiterType: H265_TYPE.delimiter,
  typeOf: h265Type,
  isCarriable: isCarriableH265,
  isSlice: isH265Slice,
  isKeyUnit: isH265Irap,
  isClosedKeyUnit: isH265ClosedIrap,
  // The ids of VPS and SPS stand behind much else, and no encoder uses more than one.
  setIdOf: (set) => (h265Type(set) === H265_TYPE.pps ? createBitReader(set.subarray(2)).ue() : 0),
  parseSps: parseH265Sps,
  describeTrack: describeH265Track,
  createPacketizer: createH265Packetizer,
  createDepacketizer: () => createH265Depacketizer(),
}
