import { isAheadOf, nextSequenceNumber, previousSequenceNumber, sequenceNumbersAhead } from '../rtp/sequence-number.ts'

/**
 * Puts packets back into order and says which to ask for again. A gap is waited for until it is filled, until
 * `maxWaiting` packets stand behind it, or until its time is over (`flush`); then the stream goes on without it.
 */
export interface IncomingOrder {
  /** Answers the sequence numbers that have just turned out to be missing. */
  push(packet: Buffer, nowMs: number): readonly number[]
  /** Gives up on a gap that has been open for too long. */
  flush(nowMs: number): void
}

export interface IncomingOrderOptions {
  readonly deliver: (packet: Buffer) => void
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
}

const NONE: readonly number[] = []
/** Further ahead than this is no gap but a new beginning. */
const MAX_GAP = 1_000
const MAX_ASKED = 64

export function createIncomingOrder(options: IncomingOrderOptions): IncomingOrder {
  const { deliver, maxWaiting = 256, maxWaitMs = 200 } = options
  const waiting = new Map<number, Buffer>()
  let expected: number | undefined
  let highest = 0
  let gapSinceMs = 0

  function drain(): void {
    for (let next = waiting.get(expected!); next; next = waiting.get(expected)) {
      waiting.delete(expected!)
      expected = nextSequenceNumber(expected!)
      deliver(next)
    }
  }

  /** On to the oldest packet that is there. */
  function skipGap(): void {
    while (waiting.size > 0 && !waiting.has(expected!)) expected = nextSequenceNumber(expected!)
    drain()
  }

  return {
    push(packet, nowMs) {
      const number = packet.readUInt16BE(2)
      expected ??= number
      const ahead = sequenceNumbersAhead(expected, number)
      if (!isAheadOf(expected, number)) return NONE
      if (ahead > MAX_GAP) {
        waiting.clear()
        expected = number
      }
      if (ahead === 0 || ahead > MAX_GAP) {
        expected = nextSequenceNumber(number)
        highest = waiting.size === 0 ? number : highest
        deliver(packet)
        drain()
        if (waiting.size > 0) gapSinceMs = nowMs
        return NONE
      }
      const missing: number[] = []
      if (waiting.size === 0) {
        gapSinceMs = nowMs
        highest = previousSequenceNumber(expected)
      }
      for (let one = nextSequenceNumber(highest); isAheadOf(one, number) && one !== number;) {
        if (missing.length < MAX_ASKED) missing.push(one)
        one = nextSequenceNumber(one)
      }
      if (isAheadOf(highest, number)) highest = number
      waiting.set(number, Buffer.from(packet))
      if (waiting.size > maxWaiting) skipGap()
      return missing
    },
    flush(nowMs) {
      if (waiting.size === 0 || nowMs - gapSinceMs < maxWaitMs) return
      skipGap()
      gapSinceMs = nowMs
    },
  }
}
