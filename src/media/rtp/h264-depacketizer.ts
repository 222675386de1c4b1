import { createAccessUnitAssembler, type Depacketizer, type NalUnitSink } from './access-unit.ts'
import { aggregatedUnits } from './aggregation.ts'
import { beginsH264AccessUnit, H264_PACKET_TYPE, h264Type, isCarriableH264 } from './h264-nal-unit.ts'

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
