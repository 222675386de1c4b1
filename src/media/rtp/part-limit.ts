/**
 * Into how many parts one message, picture or configuration may be split: NAL units, fragments, tags. Many small parts cost
 * more memory and time than their bytes, so their number has a limit too; real pictures have a few dozen units, and the
 * largest that is taken has some six thousand fragments.
 */
export const MAX_PARTS = 16_384

/**
 * Each NAL unit is a packet at least, for every reader. Encoders make up to some seventy slices of a picture; those that cut them
 * to the size of a packet make two thousand of a keyframe of 2.8 MB.
 */
export const MAX_NAL_UNITS = 2_048

/** A sender used more parts than any stream needs. */
export class TooManyPartsError extends Error {
  override readonly name = 'TooManyPartsError'
}

/** Called with each part while something is split, also with empty ones; throws once there are too many. */
export type CountPart = () => void

export function createPartCounter(maxParts = MAX_PARTS): CountPart {
  let parts = 0
  return () => {
    if (++parts > maxParts) throw new TooManyPartsError(`Something was sent in more than ${maxParts} parts.`)
  }
}
