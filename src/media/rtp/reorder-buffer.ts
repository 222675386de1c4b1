import { createDeadline } from '../../core/deadline.ts'
import { isAheadOf, nextSequenceNumber, SEQUENCE_NUMBERS, sequenceNumbersAhead } from './wrapping-numbers.ts'

/**
 * Puts the RTP packets of a track back in order. Packets in order pass at once; behind a gap they wait for what
 * is missing, at most `maxPackets` of them and at most `maxWaitMs`; then the gap is given up. Duplicates and late packets are
 * dropped. A sender that counts anew, or another one in its place, is followed at once.
 */
export interface ReorderBuffer {
  /** At least the fixed header of RTP; a packet that waits is kept as it is, so its memory must not be used again. */
  push(packet: Buffer): void
  close(): void
}

export interface ReorderOptions {
  readonly deliver: (packet: Buffer) => void
  /** Numbers that have just turned out to be missing, each once, for senders that can be asked for them again. */
  readonly onMissing?: (sequenceNumbers: readonly number[]) => void
  readonly maxPackets?: number
  readonly maxWaitMs?: number
}

/** A step of more than this, back or ahead, is a sender that restarted, not a late packet or a gap. */
const RESTART_DISTANCE = 1000
/** More at once is no loss of single packets, and asking for it would only add to what the network can't carry. */
const MAX_MISSING = 64

export function createReorderBuffer(options: ReorderOptions): ReorderBuffer {
  const { deliver, onMissing, maxPackets = 128, maxWaitMs = 60 } = options
  /** Early packets, by sequence number. */
  const early = new Map<number, Buffer>()
  let ssrc: number | undefined
  let expected = 0
  /** What is expected behind the newest packet, early ones included. */
  let afterNewest = 0
  /** For what is missing; set while anything waits. */
  const deadline = createDeadline(giveUpGap)

  function pass(packet: Buffer, sequenceNumber: number): void {
    expected = nextSequenceNumber(sequenceNumber)
    if (sequenceNumber === afterNewest) afterNewest = expected
    deliver(packet)
  }

  function passWhatFollows(): void {
    for (let next = early.get(expected); next; next = early.get(expected)) {
      early.delete(expected)
      pass(next, expected)
    }
    if (early.size > 0) deadline.set(maxWaitMs)
    else deadline.clear()
  }

  /** Continues with the earliest packet there is. */
  function giveUpGap(): void {
    let nearest = SEQUENCE_NUMBERS - 1
    for (const sequenceNumber of early.keys())
      nearest = Math.min(nearest, sequenceNumbersAhead(expected, sequenceNumber))
    expected = (expected + nearest) % SEQUENCE_NUMBERS
    passWhatFollows()
  }

  function clear(): void {
    early.clear()
    deadline.clear()
  }

  function restart(packet: Buffer, sequenceNumber: number): void {
    clear()
    afterNewest = sequenceNumber
    pass(packet, sequenceNumber)
  }

  function wait(packet: Buffer, sequenceNumber: number): void {
    if (early.has(sequenceNumber)) return
    early.set(sequenceNumber, packet)
    if (isAheadOf(afterNewest, sequenceNumber)) {
      if (onMissing && sequenceNumber !== afterNewest) onMissing(numbersBetween(afterNewest, sequenceNumber))
      afterNewest = nextSequenceNumber(sequenceNumber)
    }
    if (early.size > maxPackets) giveUpGap()
    else if (early.size === 1) deadline.set(maxWaitMs)
  }

  return {
    push(packet) {
      const sequenceNumber = packet.readUInt16BE(2)
      // Signed, because larger numbers would be allocated, for every packet.
      const sender = packet.readInt32BE(8)
      // Another sender counts from anywhere: it is never late.
      if (sender !== ssrc) {
        ssrc = sender
        return restart(packet, sequenceNumber)
      }
      const ahead = sequenceNumbersAhead(expected, sequenceNumber)
      if (ahead === 0) {
        pass(packet, sequenceNumber)
        if (early.size > 0) passWhatFollows()
        return
      }
      if (ahead >= RESTART_DISTANCE && ahead <= SEQUENCE_NUMBERS - RESTART_DISTANCE)
        return restart(packet, sequenceNumber)
      if (ahead < SEQUENCE_NUMBERS / 2) wait(packet, sequenceNumber)
    },
    close: clear,
  }
}

/** From the first on, without the last. */
function numbersBetween(first: number, last: number): number[] {
  const length = Math.min(MAX_MISSING, sequenceNumbersAhead(first, last))
  return Array.from({ length }, (_, index) => (first + index) % SEQUENCE_NUMBERS)
}
