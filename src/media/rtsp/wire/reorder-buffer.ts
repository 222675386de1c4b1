import { nextSequenceNumber, SEQUENCE_NUMBERS, sequenceNumbersAhead } from '../../rtp/sequence-number.ts'

/**
 * Puts RTP packets that came by UDP back in order. Packets in order pass at once; behind a gap they wait for what
 * is missing, at most `maxPackets` of them and at most `maxWaitMs`; then the gap is given up. What comes twice or too
 * late is dropped.
 */
export interface ReorderBuffer {
  push(packet: Buffer): void
  close(): void
}

export interface ReorderOptions {
  readonly deliver: (packet: Buffer) => void
  readonly maxPackets?: number
  readonly maxWaitMs?: number
}

/** A step back of more than this is a sender that began anew, not a late packet. */
const RESTART_DISTANCE = 1000

export function createReorderBuffer({ deliver, maxPackets = 128, maxWaitMs = 60 }: ReorderOptions): ReorderBuffer {
  /** Early packets, by sequence number. */
  const early = new Map<number, Buffer>()
  let expected: number | undefined
  let timer: NodeJS.Timeout | undefined

  function pass(packet: Buffer, sequenceNumber: number): void {
    expected = nextSequenceNumber(sequenceNumber)
    deliver(packet)
  }

  function passWhatFollows(): void {
    for (let next = early.get(expected!); next; next = early.get(expected!)) {
      early.delete(expected!)
      pass(next, expected!)
    }
    stopWaiting()
    if (early.size > 0) timer = setTimeout(giveUpGap, maxWaitMs)
  }

  /** Goes on with the earliest packet there is. */
  function giveUpGap(): void {
    let nearest = 0xffff
    for (const sequenceNumber of early.keys())
      nearest = Math.min(nearest, sequenceNumbersAhead(expected!, sequenceNumber))
    expected = (expected! + nearest) & 0xffff
    passWhatFollows()
  }

  function stopWaiting(): void {
    clearTimeout(timer)
    timer = undefined
  }

  return {
    push(packet) {
      const sequenceNumber = packet.readUInt16BE(2)
      const ahead = expected === undefined ? 0 : sequenceNumbersAhead(expected, sequenceNumber)
      if (ahead === 0) {
        pass(packet, sequenceNumber)
        if (early.size > 0) passWhatFollows()
        return
      }
      const isRestart = ahead >= RESTART_DISTANCE && ahead <= SEQUENCE_NUMBERS - RESTART_DISTANCE
      if (isRestart) {
        early.clear()
        stopWaiting()
        pass(packet, sequenceNumber)
        return
      }
      if (ahead > SEQUENCE_NUMBERS / 2) return
      early.set(sequenceNumber, packet)
      if (early.size > maxPackets) giveUpGap()
      else timer ??= setTimeout(giveUpGap, maxWaitMs)
    },
    close() {
      stopWaiting()
      early.clear()
    },
  }
}
