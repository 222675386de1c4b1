import { type Packet } from 'node-av'
import { type PacketPart } from '../picture.ts'

/** Packets that are decoded only once somebody wants a picture. With a keyframe those before it are of no more use. */
export interface HeldPackets {
  /** More would take too long to decode when they are wanted, or too much memory. */
  readonly isFull: boolean
  /** Returns how many were dropped for it. */
  hold(part: PacketPart): number
  /** All of them in order, each valid until the next is asked for; decoding them is timed. */
  take(): Iterable<PacketPart>
  /** How many are behind the one that was taken last. */
  readonly left: number
  /** How long it takes to decode one while nothing else is in the way. */
  readonly decodingMs: number
  clear(): void
}

/** Four seconds of most streams: who wants a picture waits until those before it are decoded. */
const MAX_PACKETS = 120
const MAX_BYTES = 4 * 2 ** 20
/** How fast it is learnt how long decoding takes. Some take longer only because other programs had the core. */
const LEARNING = { shorter: 1 / 16, longer: 1 / 32 }

export function createHeldPackets(now: () => number = () => performance.now()): HeldPackets {
  let parts: PacketPart[] = []
  let bytes = 0
  let decodingMs = 0
  let left = 0

  function clear(): void {
    for (const { packet } of parts) packet.free()
    parts = []
    bytes = 0
  }

  return {
    get isFull() {
      return parts.length >= MAX_PACKETS || bytes >= MAX_BYTES
    },
    hold(part) {
      const dropped = part.isKeyframe ? parts.length : 0
      if (part.isKeyframe) clear()
      parts.push({ ...part, packet: ownCopy(part.packet) })
      bytes += part.packet.size
      return dropped
    },
    *take() {
      const taken = parts
      left = taken.length
      parts = []
      bytes = 0
      try {
        for (const part of taken) {
          left -= 1
          const startMs = now()
          yield part
          const differenceMs = now() - startMs - decodingMs
          decodingMs += (differenceMs < 0 ? LEARNING.shorter : LEARNING.longer) * differenceMs
        }
      } finally {
        for (const { packet } of taken) packet.free()
      }
    },
    get left() {
      return left
    },
    get decodingMs() {
      return decodingMs
    },
    clear,
  }
}

/** It has the same bytes: they are counted, and not copied. */
function ownCopy(packet: Packet): Packet {
  const copy = packet.clone()
  if (!copy) throw new Error('There is no memory for a packet.')
  return copy
}
