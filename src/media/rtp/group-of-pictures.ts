import { type MediaPacket } from '../stream.ts'

/**
 * The packets since the last keyframe, for readers that come later. Bounded by what they take in memory, and in number by the
 * work that they are for each reader that starts: a group that grows past a limit is dropped, and new readers then start at the
 * next keyframe.
 */
export interface GroupOfPictures {
  add(packet: MediaPacket): void
  packets(): readonly MediaPacket[]
  /** What the packets take in memory. */
  readonly heldBytes: number
  clear(): void
}

/** The objects around a packet's bytes, measured: they count too, or a million empty packets would be next to nothing. */
const OVERHEAD_BYTES = 256

const MAX_BYTES = 16 * 1024 * 1024
/** As many as there are in that of a kilobyte each. */
const MAX_PACKETS = 16_384
/** Pictures and sounds, each a message by RTMP: a minute of both, or two of pictures. */
const MAX_FRAMES = 4_096

export function heldBytesOf({ data }: MediaPacket): number {
  return data.length + OVERHEAD_BYTES
}

export function createGroupOfPictures(): GroupOfPictures {
  let packets: MediaPacket[] = []
  let bytes = 0
  let frames = 0
  /** The timestamp of each track's frame that has begun and not ended. */
  const begun = new Map<number, number>()
  let hasKeyframe = false

  function countFrame({ track, timestamp, marker }: MediaPacket): void {
    if (begun.get(track) !== timestamp) frames++
    if (marker) begun.delete(track)
    else begun.set(track, timestamp)
  }

  return {
    add(packet) {
      if (packet.startsKeyframe) {
        this.clear()
        hasKeyframe = true
      }
      if (!hasKeyframe) return
      packets.push(packet)
      bytes += heldBytesOf(packet)
      countFrame(packet)
      if (bytes > MAX_BYTES || packets.length > MAX_PACKETS || frames > MAX_FRAMES) this.clear()
    },
    packets: () => packets,
    get heldBytes() {
      return bytes
    },
    clear() {
      packets = []
      bytes = 0
      frames = 0
      begun.clear()
      hasKeyframe = false
    },
  }
}
