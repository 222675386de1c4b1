import { createAccessUnitAssembler, type Depacketizer, type NalUnitSink } from './access-unit.ts'
import { aggregatedUnits } from './aggregation.ts'
import { beginsH265AccessUnit, H265_PACKET_TYPE, h265Type, isCarriableH265 } from './h265-nal-unit.ts'

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
