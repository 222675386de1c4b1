import { type VideoTrack } from '../stream.ts'
import { createAccessUnitAssembler, type Depacketizer, type NalUnitSink } from './access-unit.ts'
import { aggregatedUnits } from './aggregation.ts'
import { createBitReader } from './bit-reader.ts'
import {
  beginsH264AccessUnit,
  H264_PACKET_TYPE,
  H264_TYPE,
  h264Type,
  isCarriableH264,
  isH264Idr,
  isH264Slice,
} from './h264-nal-unit.ts'
import { parseH264Sps } from './h264-sps.ts'
import { type NalUnitCodec } from './nal-unit-codec.ts'
import { createNalUnitPacketizer, type NalUnitPacketizer, type PacketizerOptions } from './nal-unit-packetizer.ts'

/** An H.264 track with its parameter sets, SPS first, as the SDP describes it (RFC 6184 §8.1). */
export function describeH264Track(payloadType: number, parameterSets: readonly Buffer[]): VideoTrack {
  const profileLevelId = parameterSets[0]!.subarray(1, 4).toString('hex').toUpperCase()
  const sets = parameterSets.map((set) => set.toString('base64')).join(',')
  return {
    kind: 'video',
    codec: 'h264',
    payloadType,
    clockRate: 90_000,
    encodingName: 'H264',
    fmtp: `packetization-mode=1; sprop-parameter-sets=${sets}; profile-level-id=${profileLevelId}`,
    parameterSets,
  }
}

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

/** RFC 6184 in packetization modes 0 and 1: single NAL units, STAP-A and FU-A. */
export function createH264Depacketizer(maxBytes?: number): Depacketizer {
  return createAccessUnitAssembler({ readPayload, beginsAccessUnit: beginsH264AccessUnit, maxBytes })
}

function readPayload(payload: Buffer, sink: NalUnitSink): void {
  // A packet of nothing but padding keeps a path open and has no content.
  if (payload.length === 0) return
  const type = h264Type(payload)
  if (type === H264_PACKET_TYPE.aggregate) readAggregate(payload, sink)
  else if (type === H264_PACKET_TYPE.fragment) readFragment(payload, sink)
  else if (isCarriableH264(payload)) sink.nalUnit(payload)
  else sink.damaged()
}

function readAggregate(payload: Buffer, sink: NalUnitSink): void {
  for (const nalUnit of aggregatedUnits(payload, 1)) {
    if (!isCarriableH264(nalUnit)) return sink.damaged()
    sink.nalUnit(nalUnit)
  }
}

function readFragment(payload: Buffer, sink: NalUnitSink): void {
  if (payload.length < 3) return sink.damaged()
  const [indicator, flags] = [payload[0]!, payload[1]!]
  const data = payload.subarray(2)
  const isStart = (flags & 0x80) !== 0
  const isEnd = (flags & 0x40) !== 0
  // §5.8: a fragment that is both start and end must not be sent.
  if (isStart && isEnd) return sink.damaged()
  if (isStart) sink.fragmentStart(Buffer.of((indicator & 0xe0) | (flags & 0x1f)), data)
  else sink.fragmentContinues(data, isEnd)
}

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
