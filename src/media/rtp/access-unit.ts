import { parseHeader, payloadOf } from './packet.ts'
import { MAX_PARTS } from './part-limit.ts'
import { nextSequenceNumber, SEQUENCE_NUMBERS, sequenceNumbersAhead } from './wrapping-numbers.ts'

/** Everything of one picture, in decoding order. */
export interface AccessUnit {
  /** RTP timestamp: the time of presentation. */
  readonly timestamp: number
  readonly nalUnits: readonly Buffer[]
  /** Something before it was lost or unusable: pictures that it refers to may be missing. */
  readonly isAfterLoss: boolean
}

/** Turns the RTP packets of a track, in order of arrival, back into access units. Never throws. */
export interface Depacketizer {
  push(packet: Buffer): readonly AccessUnit[]
}

/** Where a payload format puts what it finds in a packet. */
export interface NalUnitSink {
  nalUnit(nalUnit: Buffer): void
  /** The first fragment, with the NAL unit header that was taken apart for it. */
  fragmentStart(header: Buffer, data: Buffer): void
  fragmentContinues(data: Buffer, isLast: boolean): void
  /** The packet makes no sense. */
  damaged(): void
}

export interface AccessUnitAssemblerOptions {
  readonly readPayload: (payload: Buffer, sink: NalUnitSink) => void
  readonly beginsAccessUnit: (nalUnit: Buffer) => boolean
  readonly maxBytes?: number
}

/** A packet up to this many numbers behind is late or a duplicate, and is ignored; further off it is a new count. */
const LATE_WINDOW = 256

/**
 * A unit with a gap in it is dropped whole, and the next one is marked: a decoder may wait for a keyframe.
 * A unit ends with the marker or, where a sender forgets markers, with the next timestamp.
 */
export function createAccessUnitAssembler(options: AccessUnitAssemblerOptions): Depacketizer {
  const { readPayload, beginsAccessUnit, maxBytes = 8 * 1024 * 1024 } = options
  let expectedSequence: number | undefined
  let ssrc: number | undefined
  let timestamp: number | undefined
  let nalUnits: Buffer[] = []
  let fragments: Buffer[] = []
  let bytes = 0
  let parts = 0
  let isDamaged = false
  let isAfterLoss = false
  let mustProveStart = false

  const sink: NalUnitSink = {
    nalUnit(nalUnit) {
      if (fragments.length > 0) damage()
      if (accepts(nalUnit)) add(nalUnit)
    },
    fragmentStart(header, data) {
      if (fragments.length > 0) damage()
      if (accepts(data)) fragments = [header, data]
    },
    fragmentContinues(data, isLast) {
      if (fragments.length === 0) damage()
      if (!accepts(data)) return
      fragments.push(data)
      if (!isLast) return
      const nalUnit = Buffer.concat(fragments)
      fragments = []
      add(nalUnit)
    },
    damaged: damage,
  }

  return {
    push(packet) {
      const header = parseHeader(packet)
      if (!header) return []
      // Another source counts from anywhere: it is never late, and never continues a unit of the source before.
      const isOther = ssrc !== undefined && header.ssrc !== ssrc
      ssrc = header.ssrc
      const ahead = expectedSequence === undefined ? 0 : sequenceNumbersAhead(expectedSequence, header.sequenceNumber)
      if (!isOther && ahead >= SEQUENCE_NUMBERS - LATE_WINDOW) return []
      const gap = isOther ? 1 : ahead
      expectedSequence = nextSequenceNumber(header.sequenceNumber)
      if (gap > 0) {
        isAfterLoss = true
        if (timestamp !== undefined) damage()
        // What was lost may have been the beginning of the unit that follows.
        mustProveStart = timestamp !== header.timestamp
      }

      const units: AccessUnit[] = []
      if (timestamp !== header.timestamp) {
        finish(units)
        timestamp = header.timestamp
      }
      readPayload(payloadOf(packet), sink)
      if (header.marker) finish(units)
      return units
    },
  }

  function damage(): void {
    isDamaged = true
    isAfterLoss = true
    nalUnits = []
    fragments = []
  }

  function finish(units: AccessUnit[]): void {
    if (fragments.length > 0) damage()
    if (timestamp !== undefined && !isDamaged && nalUnits.length > 0) {
      units.push({ timestamp, nalUnits, isAfterLoss })
      isAfterLoss = false
    }
    timestamp = undefined
    nalUnits = []
    bytes = 0
    parts = 0
    isDamaged = false
  }

  function accepts(data: Buffer): boolean {
    if (isDamaged) return false
    bytes += data.length
    parts += 1
    if (bytes > maxBytes || parts > MAX_PARTS) damage()
    return !isDamaged
  }

  function add(nalUnit: Buffer): void {
    if (mustProveStart && !beginsAccessUnit(nalUnit)) damage()
    else nalUnits.push(nalUnit)
    mustProveStart = false
  }
}
