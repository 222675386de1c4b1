import { type Packet } from 'node-av'
import { type PacketPart } from '../picture.ts'

/** Packets that are decoded only once somebody wants a picture. With a keyframe those before it are of no more use. */
export interface HeldPackets {
  /** More would take too long to decode when they are wanted, or too much memory. */
  readonly isFull: boolean
  /** Returns those that were dropped for it; their packets are freed. */
  hold(part: PacketPart): readonly Pick<PacketPart, 'isKeyframe'>[]
  /** All of them in order, each valid until the next is asked for; decoding them is timed. */
  take(): Iterable<PacketPart>
  /** How many are behind the one that was taken last. */
  readonly left: number
  /** How long it takes to decode one while nothing else is in the way; keyframes take longer than others. */
  decodingMsOf(part: Pick<PacketPart, 'isKeyframe'>): number
  clear(): void
}

/** Four seconds of most streams: who wants a picture waits until those before it are decoded. */
const MAX_PACKETS = 120
const MAX_BYTES = 4 * 2 ** 20
/** How fast it is learnt how long decoding takes. Some take longer only because other programs had the core, on a busy machine most. */
const LEARNING = { shorter: 1 / 16, longer: 1 / 256 }

export function createHeldPackets(now: () => number = () => performance.now()): HeldPackets {
  let parts: PacketPart[] = []
  let bytes = 0
  const decodingMs = { keyframe: NaN, other: NaN }
  let left = 0

  const kindOf = ({ isKeyframe }: Pick<PacketPart, 'isKeyframe'>) => (isKeyframe ? 'keyframe' : 'other')

  function learn(part: PacketPart, ms: number): void {
    const kind = kindOf(part)
    const known = decodingMs[kind]
    decodingMs[kind] = Number.isNaN(known)
      ? ms
      : known + (ms < known ? LEARNING.shorter : LEARNING.longer) * (ms - known)
  }

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
      const dropped = part.isKeyframe ? parts : []
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
          learn(part, now() - startMs)
        }
      } finally {
        for (const { packet } of taken) packet.free()
      }
    },
    get left() {
      return left
    },
    decodingMsOf: (part) => decodingMs[kindOf(part)] || 0,
    clear,
  }
}

/** It has the same bytes: they are counted, and not copied. */
function ownCopy(packet: Packet): Packet {
  const copy = packet.clone()
  if (!copy) throw new Error('There is no memory for a packet.')
  return copy
}
