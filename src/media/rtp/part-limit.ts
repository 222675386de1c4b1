/**
 * Into how many parts one message, picture or configuration may be split: NAL units, fragments, tags. Many small parts cost
 * more memory and time than their bytes, so their number has a limit too; real pictures have a few dozen units, and the
 * largest that is taken has some six thousand fragments.
 */
export const MAX_PARTS = 16_384

/** Somebody has sent more parts than anybody needs. */
export class TooManyPartsError extends Error {
  override readonly name = 'TooManyPartsError'
}

/** Called with each part while something is split, also with empty ones; throws once there are too many. */
export type CountPart = () => void

export function createPartCounter(): CountPart {
  let parts = 0
  return () => {
    if (++parts > MAX_PARTS) throw new TooManyPartsError(`Something was sent in more than ${MAX_PARTS} parts.`)
  }
}
