import { type PacketPart } from './picture.ts'
import { createSizeWatch } from './size-watch.ts'

/**
 * On a machine that is short of time, of a scene that stands still only some keyframes are decoded, and what follows once
 * the size of a packet says that something happens.
 */
export interface Rest {
  /** The machine is short of time. */
  setCrowded(isCrowded: boolean): void
  readonly isCrowded: boolean
  /** From now on this is the scene. */
  watch(scene: { readonly isStill: boolean }): void
  readonly isResting: boolean
  /** Another stream begins. */
  forget(): void
  /** Whether a packet is worth decoding. To be asked of each, in order. */
  isWorthDecoding(part: TimedPacket): boolean
}

export interface TimedPacket extends Pick<PacketPart, 'isKeyframe'> {
  readonly packet: { readonly size: number }
  /** Null where nobody is to see it. */
  readonly times: { readonly timeMs: number } | null
}

/** Keyframes that come more often are left out. */
const DECODE_EVERY_MS = 1_500

export function createRest(initiallyCrowded: boolean): Rest {
  let sizes = createSizeWatch()
  let isCrowded = initiallyCrowded
  let scene: { readonly isStill: boolean } | undefined
  let decodedMs = -Infinity
  const isResting = () => isCrowded && scene?.isStill === true

  return {
    setCrowded: (crowded) => void (isCrowded = crowded),
    get isCrowded() {
      return isCrowded
    },
    watch: (watched) => void (scene = watched),
    get isResting() {
      return isResting()
    },
    forget: () => void (sizes = createSizeWatch()),
    isWorthDecoding({ isKeyframe, packet: { size }, times }) {
      const isUnusual = sizes.isUnusual({ isKeyframe, size })
      if (scene?.isStill) sizes.learn()
      const timeMs = times?.timeMs ?? decodedMs
      const isDue = isKeyframe && Math.abs(timeMs - decodedMs) >= DECODE_EVERY_MS
      const isWorth = isDue || isUnusual || !isResting()
      if (isWorth) decodedMs = timeMs
      return isWorth
    },
  }
}
