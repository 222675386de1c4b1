import { type VideoTrack } from '../stream.ts'
import { createAccessUnitAssembler, type Depacketizer, type NalUnitSink } from './access-unit.ts'
import { aggregatedUnits } from './aggregation.ts'
import { createBitReader } from './bit-reader.ts'
import {
  beginsH265AccessUnit,
  H265_PACKET_TYPE,
  H265_TYPE,
  h265Type,
  isCarriableH265,
  isH265ClosedIrap,
  isH265Irap,
  isH265Slice,
} from './h265-nal-unit.ts'
import { parseH265Sps } from './h265-sps.ts'
import { type NalUnitCodec } from './nal-unit-codec.ts'
import { createNalUnitPacketizer, type NalUnitPacketizer, type PacketizerOptions } from './nal-unit-packetizer.ts'

/** An H.265 track with its parameter sets as the SDP describes it (RFC 7798 §7.1). */
export function describeH265Track(payloadType: number, parameterSets: readonly Buffer[]): VideoTrack {
  const ofType = (type: number) =>
    parameterSets
      .filter((set) => h265Type(set) === type)
      .map((set) => set.toString('base64'))
      .join(',')
  return {
    kind: 'video',
    codec: 'h265',
    payloadType,
    clockRate: 90_000,
    encodingName: 'H265',
    fmtp: `sprop-vps=${ofType(H265_TYPE.vps)}; sprop-sps=${ofType(H265_TYPE.sps)}; sprop-pps=${ofType(H265_TYPE.pps)}`,
    parameterSets,
  }
}

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

/** RFC 7798 without decoding order numbers: single NAL units, aggregation and fragmentation packets. */
export function createH265Depacketizer(maxBytes?: number): Depacketizer {
  return createAccessUnitAssembler({ readPayload, beginsAccessUnit: beginsH265AccessUnit, maxBytes })
}

function readPayload(payload: Buffer, sink: NalUnitSink): void {
  if (payload.length === 0) return
  const type = h265Type(payload)
  if (type === H265_PACKET_TYPE.aggregate) readAggregate(payload, sink)
  else if (type === H265_PACKET_TYPE.fragment) readFragment(payload, sink)
  else if (isCarriableH265(payload)) sink.nalUnit(payload)
  else sink.damaged()
}

function readAggregate(payload: Buffer, sink: NalUnitSink): void {
  for (const nalUnit of aggregatedUnits(payload, 2)) {
    if (!isCarriableH265(nalUnit)) return sink.damaged()
    sink.nalUnit(nalUnit)
  }
}

function readFragment(payload: Buffer, sink: NalUnitSink): void {
  if (payload.length < 4) return sink.damaged()
  const flags = payload[2]!
  const data = payload.subarray(3)
  const isStart = (flags & 0x80) !== 0
  const isEnd = (flags & 0x40) !== 0
  // §4.4.3: a fragment that is both start and end must not be sent.
  if (isStart && isEnd) return sink.damaged()
  if (isStart) sink.fragmentStart(Buffer.of((payload[0]! & 0x81) | ((flags & 0x3f) << 1), payload[1]!), data)
  else sink.fragmentContinues(data, isEnd)
}

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
