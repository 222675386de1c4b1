import { type MediaPacket } from '../stream.ts'

/**
 * The packets since the last keyframe, for readers that come later. Bounded by what they take in memory: a group that
 * grows past the limit is let go, and new readers then start at the next keyframe.
 */
export interface GroupOfPictures {
  add(packet: MediaPacket): void
  packets(): readonly MediaPacket[]
  clear(): void
}

/** The objects around a packet's bytes, measured: they count too, or a million empty packets would be next to nothing. */
const OVERHEAD_BYTES = 256

export function heldBytesOf({ data }: MediaPacket): number {
  return data.length + OVERHEAD_BYTES
}

export function createGroupOfPictures(maxBytes = 16 * 1024 * 1024): GroupOfPictures {
  let packets: MediaPacket[] = []
  let bytes = 0
  let hasKeyframe = false

  return {
    add(packet) {
      if (packet.startsKeyframe) {
        packets = []
        bytes = 0
        hasKeyframe = true
      }
      if (!hasKeyframe) return
      packets.push(packet)
      bytes += heldBytesOf(packet)
      if (bytes > maxBytes) this.clear()
    },
    packets: () => packets,
    clear() {
      packets = []
      bytes = 0
      hasKeyframe = false
    },
  }
}
