/** What one instant of a track consists of: a picture in many packets, or one packet of sound. */
export interface Frame {
  /** Index into the stream's tracks. */
  readonly track: number
  /** RTP timestamp, in the track's clock. */
  readonly timestamp: number
  readonly packets: readonly Buffer[]
  readonly bytes: number
  readonly isKeyframe: boolean
}

/** The pictures since the last keyframe, for viewers that come later. Bounded: a group that grows past that is dropped. */
export interface FrameGroup {
  add(frame: Frame): void
  frames(): readonly Frame[]
}

const MAX_BYTES = 8 * 1024 * 1024
const MAX_FRAMES = 3_000

export function createFrameGroup(maxBytes = MAX_BYTES): FrameGroup {
  let frames: Frame[] = []
  let bytes = 0

  return {
    add(frame) {
      if (frame.isKeyframe) {
        frames = []
        bytes = 0
      } else if (frames.length === 0) return
      frames.push(frame)
      bytes += frame.bytes
      if (bytes <= maxBytes && frames.length <= MAX_FRAMES) return
      frames = []
      bytes = 0
    },
    frames: () => frames,
  }
}
