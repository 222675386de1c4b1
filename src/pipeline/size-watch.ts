/**
 * Knows by the sizes of packets when something begins to happen: encoders spend bits on what is new. Where in a group of
 * pictures a packet stands decides its size as well, so each is compared with those at the same place. An encoder that makes all
 * of one size hides it.
 */
export interface SizeWatch {
  /** To be asked of each packet, in order. Where too little is known, all are unusual. */
  isUnusual(packet: SizedPacket): boolean
  /** Nothing happens in the one that was asked of last. */
  learn(): void
}

export interface SizedPacket {
  readonly isKeyframe: boolean
  readonly size: number
}

interface KnownSize {
  count: number
  mean: number
  deviation: number
}

/** So many groups of pictures must have been seen. */
const MIN_COUNT = 3
/** Later places of longer groups are unknown for ever. */
const MAX_PLACES = 300
const LEARNING = 1 / 6
/** What is larger than usual by one deviation is noise; how much more it is adds up until there is no doubt. */
const NOISE = 1
const NO_DOUBT = 4
/** One packet counts for no more. */
const MAX_EXCESS = 8
/** Deviations that were small so far may grow. */
const MIN_DEVIATION = { share: 0.04, bytes: 16 }

export function createSizeWatch(): SizeWatch {
  const places: KnownSize[] = []
  let place = 0
  let size = 0
  let suspicion = 0

  return {
    isUnusual(packet) {
      place = packet.isKeyframe ? 0 : place + 1
      size = packet.size
      const known = places[place]
      if (!known || known.count < MIN_COUNT) return true
      const excess = Math.min(MAX_EXCESS, (size - known.mean) / deviationOf(known))
      suspicion = Math.max(0, suspicion + excess - NOISE)
      if (suspicion <= NO_DOUBT) return false
      suspicion = 0
      return true
    },
    learn() {
      if (place >= MAX_PLACES) return
      const known = (places[place] ??= { count: 0, mean: size, deviation: 0 })
      known.count += 1
      const rate = Math.max(LEARNING, 1 / known.count)
      const difference = size - known.mean
      known.mean += rate * difference
      known.deviation += rate * (Math.abs(difference) - known.deviation)
    },
  }
}

function deviationOf({ mean, deviation }: KnownSize): number {
  return Math.max(deviation, MIN_DEVIATION.share * mean, MIN_DEVIATION.bytes)
}
